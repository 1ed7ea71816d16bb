import { crash, source, test } from '../proof.ts'
import { level1, level2, met, type Chapter } from './requirement.ts'

export const validation: Chapter = {
  id: 'V2',
  name: 'Validation and business logic',
  requirements: {
    '2.1.1': level1(
      'The rules for valid input are documented',
      met(
        'The reference and the OpenAPI document are generated from the contracts that check the input.',
        source('api/openapi.test.ts', 'has a description for every input field'),
        'docs/api/operations.md',
      ),
    ),
    '2.1.2': level2(
      'The rules for combinations of fields are documented',
      met(
        'Descriptions of fields and pages about each kind of record say what goes together.',
        'docs/api/operations.md',
        'docs/write-policy.md#what-the-policy-covers',
        'docs/tasks.md#duplicates',
      ),
    ),
    '2.1.3': level2(
      'Limits for each user and for the whole server are documented',
      met(
        'Requests, quotas, connections, bodies and proposals are.',
        'docs/self-hosting.md#limits',
        'docs/write-policy.md#proposals',
      ),
    ),
    '2.2.1': level1(
      'All input is checked against types, lengths and ranges',
      met(
        'For every field of every operation.',
        test(
          'registry.fields.test.ts',
          'rejects every value beyond a limit and of a wrong type, and names the field',
          'rejects a missing required field, and null instead of it, and names it',
        ),
        test('registry.bodies.test.ts', 'accepts only a JSON object'),
      ),
    ),
    '2.2.2': level1(
      'The server checks, whatever the client has checked',
      met(
        'One step of each call checks the input; tests send it without the dashboard.',
        test('registry.fields.test.ts', 'rejects every value beyond a limit and of a wrong type, and names the field'),
        'packages/server/src/api/dispatch.ts',
      ),
    ),
    '2.2.3': level2(
      'Combinations of fields are checked',
      met(
        'Such as records of different vaults, an expected version, and who supersedes whom.',
        test('registry.fields.test.ts', "returns the same for someone else's %s as for an unknown id"),
        test(
          'conformance/memories.test.ts',
          'are changed one version at a time, also in the index, and not against an expected version',
        ),
      ),
    ),
    '2.3.1': level1(
      'Steps happen in their order, and none is skipped',
      met(
        'Few actions have several steps: setting up an instance, a second factor, a passkey, and accepting a proposal.',
        source('machine/set-up.test.ts', 'happens once: after that, both ways return 403, whatever the token'),
        source(
          'sign-in/second-factor.test.ts',
          'is set up with the password, and required only after a code has confirmed it',
        ),
        source('sign-in/passkeys.test.ts', 'is added only in the session that has shown the password'),
      ),
    ),
    '2.3.2': level2(
      'Documented limits are enforced',
      met(
        'Per user and key.',
        source(
          'calls/limits.test.ts',
          'end in 429 with a wait after which the next call succeeds, for all keys of a user and no other user',
          'end in 429 until the end of the month, even with many concurrent calls; failed ones are given back',
        ),
      ),
    ),
    '2.3.3': level2(
      'An action happens whole or not at all',
      met(
        'Record, index entry, links, events and activity are one transaction.',
        crash('kill.test.ts', 'keeps every acknowledged memory, complete and findable, and no part of another'),
        source('webhooks/outbox.test.ts', 'stores nothing if the transaction fails'),
      ),
    ),
    '2.3.4': level2(
      'What exists once can’t be taken twice',
      met(
        'Tasks, idempotency keys, recovery codes and the setup.',
        source('tasks/update-task.test.ts', 'can be claimed by only one of many concurrent callers'),
        crash('races.test.ts', 'create one memory'),
        source('sign-in/second-factor.test.ts', 'accepts only one of two equal concurrent codes'),
      ),
    ),
    '2.4.1': level2(
      'Automated mass use is limited',
      met(
        'Requests by minute and month, connections, waits after failed guesses, and refusal under overload.',
        source(
          'calls/rates.test.ts',
          'of one agent key are at most half of the limit while another key calls, and all of it otherwise',
        ),
        source(
          'api/cap-connections.test.ts',
          'closes connections above the number of one client, until others are closed',
        ),
        source('auth/log-in-throttle.test.ts', 'doubles the wait with each further failure, up to 30 seconds'),
      ),
    ),
  },
}
