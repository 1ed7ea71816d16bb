import { source, test } from '../proof.ts'
import { level1, level2, met, notApplicable, notMet, type Chapter } from './requirement.ts'

const noOtherChannel = notApplicable('No codes are sent over another channel: no mail, text messages or calls.')
const noProvider = notApplicable('There is no sign-in through another service.')
const password = (...titles: string[]) => source('accounts/password.test.ts', ...titles)
const factor = (...titles: string[]) => source('sign-in/second-factor.test.ts', ...titles)
const passwordRules = 'docs/self-hosting.md#passwords'

export const authentication: Chapter = {
  id: 'V6',
  name: 'Authentication',
  requirements: {
    '6.1.1': level1(
      'How guesses are slowed down is documented',
      met('It says why no one can be locked out, too.', passwordRules, 'docs/adr/0015-signing-in.md'),
    ),
    '6.1.2': level2(
      'Words that passwords must not be made of are documented',
      met('The product’s name and parts of the email address.', passwordRules),
    ),
    '6.1.3': level2(
      'All ways to authenticate are documented with their strength',
      met(
        'Passwords, codes, passkeys, sessions, tokens, keys, and the tokens of the operator and the setup.',
        'SECURITY.md#what-is-protected',
        'docs/adr/0015-signing-in.md',
      ),
    ),
    '6.2.1': level1(
      'Passwords have at least 8 characters',
      met(
        'And the field says that 15 are better.',
        'packages/server/src/accounts/password.ts',
        test('registry.fields.test.ts', 'rejects every value beyond a limit and of a wrong type, and names the field'),
      ),
    ),
    '6.2.2': level1(
      'Users can change their password',
      met(
        'In the settings.',
        source('accounts/sessions.test.ts', 'is changed with the old one, which ends the other sessions'),
      ),
    ),
    '6.2.3': level1(
      'A change of the password asks for the current one',
      met(
        'And for a code, if there is a second factor.',
        source('accounts/sessions.test.ts', 'is changed with the old one, which ends the other sessions'),
      ),
    ),
    '6.2.4': level1(
      'The 3,000 most common passwords are refused',
      met(
        '11,700 are, in any case.',
        password(
          'include the email address and the most common ones, in any case',
          'are listed once, in lower case, at least 3,000 that are long enough to be accepted otherwise',
        ),
      ),
    ),
    '6.2.5': level1(
      'Passwords may consist of any characters',
      met(
        'No rule asks for kinds of characters.',
        password('include those made of the email address or the name of the product, and little else'),
        passwordRules,
      ),
    ),
    '6.2.6': level1(
      'Fields for passwords hide what is typed',
      met(
        'They can show it for a moment.',
        'packages/web/src/pages/login/login-page.tsx',
        'packages/server/src/cli/ask-password.ts',
      ),
    ),
    '6.2.7': level1(
      'Pasting and password managers work',
      met(
        'Nothing handles pasting, and the fields are marked for managers.',
        'packages/web/src/pages/login/login-page.tsx',
      ),
    ),
    '6.2.8': level1(
      'Passwords are checked exactly as they were sent',
      notMet(
        'The same character can be sent in several ways, depending on the keyboard. So passwords are brought into one form (Unicode NFKC) before they are hashed, as NIST SP 800-63B recommends.',
        'Nothing is cut off, and case counts. A password of ASCII characters isn’t changed.',
        source(
          'auth/passwords.test.ts',
          'do not depend on how a keyboard composes accented characters',
          'verify only the right password',
        ),
      ),
    ),
    '6.2.9': level2(
      'Passwords may have 64 characters',
      met('Up to 1,000.', 'packages/server/src/accounts/password.ts', passwordRules),
    ),
    '6.2.10': level2('Passwords don’t expire', met('They stay valid until they are changed.', passwordRules)),
    '6.2.11': level2(
      'Passwords made of documented words are refused',
      met(
        'Unless at least 8 other characters are in them.',
        password('include those made of the email address or the name of the product, and little else'),
      ),
    ),
    '6.2.12': level2(
      'Passwords are compared with leaked ones',
      notMet(
        'Only with the 11,700 that leak most often. Complete lists have hundreds of millions of entries and are services on the network, and the server calls none by default.',
        'Slowed guesses, argon2id, second factors and passkeys.',
        passwordRules,
      ),
    ),
    '6.3.1': level1(
      'Guessing is slowed down as documented',
      met(
        'By account and by address, for passwords, codes and passkeys.',
        source(
          'auth/log-in-throttle.test.ts',
          'doubles the wait with each further failure, up to 30 seconds',
          'counts attempts before they are checked, so parallel attempts don’t get around it',
        ),
        factor('waits longer after each of many wrong codes, across days and restarts; recovery codes never wait'),
      ),
    ),
    '6.3.2': level1(
      'There are no default accounts',
      met(
        'An instance begins without users, and its owner needs a token that works once.',
        source('machine/set-up.test.ts', 'rejects a wrong token, an expired one, and a missing one'),
      ),
    ),
    '6.3.3': level2(
      'Signing in takes several factors',
      notMet(
        'A second factor or a passkey is offered and not required, and the operator can’t require it: many instances have one user and no network.',
        'Without a second factor, guesses are slowed down, and leaked passwords are refused. Accounts with one need it for all lasting access.',
        factor('is set up with the password, and required only after a code has confirmed it'),
      ),
    ),
    '6.3.4': level2(
      'There are no other ways in, and all are equally strong',
      met(
        'Each operation accepts one kind of credential. Tokens for programs are created with all factors.',
        test(
          'registry.test.ts',
          'accepts only its own kind of credential',
          'returns the same error for every credential that is not a valid key',
        ),
        factor('is not required for tokens, which are for programs'),
      ),
    ),
    '6.4.1': level1(
      'Initial secrets are random, expire and don’t stay',
      met(
        'The setup token works once, for 30 minutes, and the token of a new account for an hour. The operator types the first password of a new user, who should change it; nothing makes them.',
        source('auth/setup-token.test.ts', 'accepts it for 30 minutes'),
        source(
          'accounts/sessions.test.ts',
          'that comes with a new account is valid for an hour, because the person who created the account has it too',
        ),
      ),
    ),
    '6.4.2': level1('There are no hints or secret questions', met('No operation has any.', 'docs/api/operations.md')),
    '6.4.3': level2(
      'A forgotten password is reset without losing the second factor',
      met(
        'By the operator, on the server’s machine.',
        source('accounts/sessions.test.ts', 'can be reset by the operator if the user has lost it'),
        'docs/self-hosting.md#people-who-are-locked-out',
      ),
    ),
    '6.4.4': level2(
      'A lost factor takes the same proof as an account',
      met(
        'The operator creates accounts and removes lost factors, with the same access to the machine.',
        factor('can be removed by the operator if it was lost'),
        'docs/self-hosting.md#people-who-are-locked-out',
      ),
    ),
    '6.5.1': level2(
      'Codes work once',
      met(
        'Codes of apps and recovery codes, also sent twice at once.',
        factor(
          'prevents sign-in with only the password, with a wrong code, or with a used code',
          'accepts only one of two equal concurrent codes',
          'can be replaced by a recovery code, which works once, however it is typed',
        ),
      ),
    ),
    '6.5.2': level2(
      'Stored recovery codes are hashed',
      met(
        'They have 140 random bits, so SHA-256 is enough.',
        source(
          'crypto/recovery-code.test.ts',
          'are 28 characters in groups of four, without letters that look like digits, and differ each time',
        ),
        factor('is encrypted: neither its secret nor its codes are in plain text in the database'),
      ),
    ),
    '6.5.3': level2(
      'Codes and seeds come from a secure generator',
      met(
        'From the operating system.',
        source('crypto/totp.test.ts', 'use secrets of 160 bits that differ each time'),
        'docs/encryption.md#inventory',
      ),
    ),
    '6.5.4': level2('Recovery codes have at least 20 bits', met('140.', 'packages/server/src/crypto/recovery-code.ts')),
    '6.5.5': level2(
      'Codes of apps are valid for 30 seconds',
      notMet(
        'The code of the step before and after is accepted as well, because clocks differ. So a code is valid for 90 seconds.',
        'Each code works once, none older than the last one used, and wrong ones wait up to an hour.',
        factor('accepts a code of the step before or after, because clocks differ, and none older than the last'),
      ),
    ),
    '6.6.1': level2('Codes by phone are the exception', noOtherChannel),
    '6.6.2': level2('Codes over another channel belong to one request', noOtherChannel),
    '6.6.3': level2('Codes over another channel can’t be guessed', noOtherChannel),
    '6.8.1': level2('Users of several providers can’t be mixed up', noProvider),
    '6.8.2': level2('Signatures of providers are checked', noProvider),
    '6.8.3': level2('SAML assertions work once', noProvider),
    '6.8.4': level2('The strength that a provider used is checked', noProvider),
  },
}
