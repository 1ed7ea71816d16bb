import { browser, source, test, web } from '../proof.ts'
import { level1, level2, met, notApplicable, type Chapter } from './requirement.ts'

const behindTls = source(
  'sign-in/sign-in.test.ts',
  'behind TLS, the cookie is Secure and bound to its host, and each answer keeps browsers on TLS for a year',
)
const everyAnswer = test('http.test.ts', 'prevents browsers from guessing types, framing and caching')

export const webFrontend: Chapter = {
  id: 'V3',
  name: 'Web frontend',
  requirements: {
    '3.2.1': level1(
      'Browsers don’t render answers out of context',
      met('Each answer names its type, forbids guessing and framing, and has a policy that runs nothing.', everyAnswer),
    ),
    '3.2.2': level1(
      'Text is shown by functions that don’t make markup',
      met(
        'React shows text as text, and trusted types keep text from becoming markup.',
        browser('shell.e2e.ts', 'shows unknown pages as not found, and stored markup as text'),
        'packages/server/src/api/web.ts',
      ),
    ),
    '3.3.1': level1(
      'Cookies are Secure and have a prefix',
      met(
        'With `HOLDFAST_PUBLIC_URL` set to an `https://` address. Without it, the server is used on its own machine without TLS, where browsers refuse such cookies.',
        behindTls,
      ),
    ),
    '3.3.2': level2(
      'Cookies have the right SameSite',
      met(
        'Strict.',
        source(
          'sign-in/sign-in.test.ts',
          'sets a cookie that scripts and other sites cannot use, and returns the user',
        ),
      ),
    ),
    '3.3.3': level2('Cookies have the prefix __Host-', met('Under the same condition as 3.3.1.', behindTls)),
    '3.3.4': level2(
      'Scripts can’t read session cookies',
      met(
        'HttpOnly, and in no body. The other half of a session, the session key, is for scripts and opens nothing without the cookie.',
        source(
          'sign-in/sign-in.test.ts',
          'sets a cookie that scripts and other sites cannot use, and returns the user',
        ),
        'SECURITY.md#sessions-in-a-browser',
      ),
    ),
    '3.4.1': level1(
      'HSTS for a year, with subdomains',
      met('Under the same condition as 3.3.1, on each answer.', behindTls),
    ),
    '3.4.2': level1('CORS allows no other origin', met('No answer has a CORS header.', everyAnswer)),
    '3.4.3': level2(
      'A content security policy on every answer',
      met(
        "Pages allow scripts of the build only. `default-src 'none'` includes `object-src`, and `base-uri` is set.",
        everyAnswer,
        source('api/web.test.ts', 'is returned at each of its URLs, with a policy and a new nonce each time'),
      ),
    ),
    '3.4.4': level2('Browsers don’t guess types', met('`nosniff` on each answer.', everyAnswer)),
    '3.4.5': level2('A referrer policy', met('`no-referrer` on each answer.', everyAnswer)),
    '3.4.6': level2('No page can be framed', met("`frame-ancestors 'none'` on each answer.", everyAnswer)),
    '3.5.1': level1(
      'Requests of other sites are recognized',
      met(
        'A change needs a header that other pages can’t set, and a matching `Origin`. Each request of a session needs the session key in a header.',
        source('sign-in/sign-in.test.ts', 'requires two things of a cookie that a foreign page cannot send'),
      ),
    ),
    '3.5.2': level1(
      'No request gets around the CORS preflight',
      met(
        'Bodies must be JSON, and the headers named above cause a preflight, which nothing answers.',
        test('registry.bodies.test.ts', 'rejects a body of another type'),
        source('sign-in/sign-in.test.ts', 'requires two things of a cookie that a foreign page cannot send'),
      ),
    ),
    '3.5.3': level1(
      'Safe methods change nothing',
      met('No operation with GET has an effect.', test('registry.test.ts', 'has no GET that changes something')),
    ),
    '3.5.4': level2(
      'Different applications have different host names',
      notApplicable(
        'Holdfast is one application. Where other servers share its host name, the two halves of a session keep them out.',
      ),
    ),
    '3.5.5': level2(
      'Messages between windows are checked',
      notApplicable('The pages listen to no messages of other windows.'),
    ),
    '3.7.1': level2(
      'No outdated client technology',
      met('HTML, CSS and JavaScript only.', 'docs/adr/0013-dashboard.md'),
    ),
    '3.7.2': level2(
      'Redirects lead to known hosts only',
      met(
        'After signing in, the dashboard returns to a path of its own; nothing redirects to another host.',
        web('pages/login/next-path.test.ts', 'accepts only paths of the dashboard'),
      ),
    ),
  },
}
