import { browser, source } from '../proof.ts'
import { level1, level2, met, notApplicable, notMet, type Chapter } from './requirement.ts'

const sessions = (...titles: string[]) => source('accounts/sessions.test.ts', ...titles)
const signIn = (...titles: string[]) => source('sign-in/sign-in.test.ts', ...titles)
const documented = 'docs/self-hosting.md#sessions-and-tokens'

export const sessionManagement: Chapter = {
  id: 'V7',
  name: 'Session management',
  requirements: {
    '7.1.1': level2(
      'Lifetimes of sessions are documented, with reasons',
      met('12 hours without use, seven days in total.', documented),
    ),
    '7.1.2': level2('How many sessions a user may have is documented', met('Any number; they are listed.', documented)),
    '7.1.3': level2(
      'Sessions of several systems are coordinated',
      notApplicable('There is no shared sign-in with other systems.'),
    ),
    '7.2.1': level1(
      'The server checks sessions',
      met(
        'In the database, on each request.',
        signIn('takes both halves of a session: the cookie reaches every server on the same host name'),
      ),
    ),
    '7.2.2': level1(
      'Sessions use tokens made for them',
      met(
        'Each sign-in creates two new secrets.',
        signIn('takes both halves of a session: the cookie reaches every server on the same host name'),
      ),
    ),
    '7.2.3': level1(
      'Session tokens have at least 128 random bits',
      met(
        '256 each.',
        source(
          'crypto/secrets.test.ts',
          'creates well-formed secrets of 53 characters with the prefix %s',
          'never creates the same secret twice',
        ),
      ),
    ),
    '7.2.4': level1(
      'Each sign-in replaces the session token, also of someone who is signed in',
      notMet(
        'Signing in always creates a new session, and signing out ends the old one. Signing in over an existing session doesn’t end that one, and confirming the password for one change doesn’t replace the token.',
        'No one can choose the secrets of a session, sessions end by themselves, and each is listed and can be ended.',
        signIn('sets a cookie that scripts and other sites cannot use, and returns the user'),
      ),
    ),
    '7.3.1': level2(
      'Sessions end without use',
      met('After 12 hours.', signIn('ends a session after 12 hours without use')),
    ),
    '7.3.2': level2(
      'Sessions end in any case',
      met('After seven days.', signIn('ends a session after seven days, however much it was used')),
    ),
    '7.4.1': level1(
      'An ended session can’t be used',
      met(
        'Its row is deleted.',
        signIn('ends only its own session at sign-out'),
        sessions('can be ended one by one, and so can tokens'),
      ),
    ),
    '7.4.2': level1(
      'Disabling or deleting a user ends their sessions',
      met(
        'From the next request on.',
        source(
          'machine/users.test.ts',
          'is refused like an unknown one, with every credential, until enabled again',
          'leaves no row of theirs, and everything of others',
        ),
      ),
    ),
    '7.4.3': level2(
      'A change of a factor can end the other sessions',
      met(
        'It does so by itself, except for adding a passkey, where the list of sessions offers it.',
        sessions('is changed with the old one, which ends the other sessions'),
        source('sign-in/second-factor.test.ts', 'is removed with password and code, and ends the other sessions'),
        source('sign-in/passkeys.test.ts', 'is removed with the password, and ends the other sessions'),
      ),
    ),
    '7.4.4': level2(
      'Signing out is easy to find on each page',
      met(
        'In the menu of the user, on every page.',
        'packages/web/src/shell/user-menu.tsx',
        browser('sign-in.e2e.ts', 'keeps nothing after signing out, even during an import'),
      ),
    ),
    '7.4.5': level2(
      'Administrators can end the sessions of a user',
      met(
        'By resetting or disabling the account.',
        sessions('can be reset together with all sessions and tokens, for an account in the wrong hands'),
      ),
    ),
    '7.5.1': level2(
      'Changes of how to sign in ask for all factors again',
      met(
        'Email, password, second factor, passkeys, tokens.',
        source(
          'sign-in/profile.test.ts',
          'has the email for sign-in, which takes the password to change; sessions and the name stay',
        ),
        source(
          'sign-in/passkeys.test.ts',
          'can only be added with the password, and the code if there is a second factor, and replaces both at sign-in',
        ),
        source('sign-in/second-factor.test.ts', 'is removed with password and code, and ends the other sessions'),
      ),
    ),
    '7.5.2': level2(
      'Users see their sessions, and end them after authenticating again',
      notMet(
        'They see and end them, one by one or all at once, without authenticating again: someone who suspects a stolen session should lose no time.',
        'Someone with a stolen session can sign the others out, and can’t change how to sign in.',
        sessions(
          'are listed with browser and origin, last used first, with tokens',
          'all end except the current one when the user signs out everywhere else',
        ),
      ),
    ),
    '7.6.1': level2(
      'Sessions of a provider end as documented',
      notApplicable('There is no sign-in through another service.'),
    ),
    '7.6.2': level2(
      'No session begins without an action of the user',
      met(
        'Only signing in creates one.',
        'packages/server/src/sign-in/log-in.ts',
        'packages/server/src/sign-in/log-in-with-passkey.ts',
      ),
    ),
  },
}
