import { source } from '../proof.ts'
import { level1, level2, met, type Chapter } from './requirement.ts'

const challenge = (...titles: string[]) => source('crypto/passkey-challenge.test.ts', ...titles)
const passkeys = (...titles: string[]) => source('sign-in/passkeys.test.ts', ...titles)

/** The only one is the challenge of passkeys, which the server recognizes without having stored it. Credentials are looked up. */
export const selfContainedTokens: Chapter = {
  id: 'V9',
  name: 'Self-contained tokens (the challenges of passkeys are the only ones)',
  requirements: {
    '9.1.1': level1(
      'They are authenticated before they are used',
      met('By a keyed tag over all of it.', challenge('has a single spelling, and every change is detected')),
    ),
    '9.1.2': level1(
      'Only listed algorithms are accepted',
      met('There is one, HMAC-SHA256, and the token names none.', 'packages/server/src/crypto/passkey-challenge.ts'),
    ),
    '9.1.3': level1(
      'Their key comes from a trusted source',
      met('From the instance; the token names no key.', challenge('is valid only for its own purpose and key')),
    ),
    '9.2.1': level1(
      'They are used only while they are valid',
      met(
        'Five minutes at most.',
        challenge('differs each time, and is recognized until it expires'),
        passkeys('cannot use a challenge that is five minutes old, forged, or for another purpose'),
      ),
    ),
    '9.2.2': level2(
      'They are used only for their purpose',
      met(
        'The tag covers it.',
        challenge('is valid only for its own purpose and key'),
        passkeys('cannot use a challenge that is five minutes old, forged, or for another purpose'),
      ),
    ),
    '9.2.3': level2(
      'They are accepted only by the service they are for',
      met(
        'The tag covers the origin, and another instance has another key.',
        passkeys('is accepted only at its own address, for its own site, and if the device has verified the user'),
      ),
    ),
    '9.2.4': level2(
      'Tokens under one key name their audience',
      met(
        'Their purpose contains it.',
        challenge('is valid only for its own purpose and key'),
        'packages/server/src/sign-in/passkey-challenges.ts',
      ),
    ),
  },
}
