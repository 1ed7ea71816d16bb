import { scripts, source, test } from '../proof.ts'
import { level1, level2, met, notMet, type Chapter } from './requirement.ts'

export const secureCoding: Chapter = {
  id: 'V15',
  name: 'Secure coding and architecture',
  requirements: {
    '15.1.1': level1(
      'How soon vulnerable dependencies are replaced is documented',
      met(
        'Seven days if it is serious, otherwise with the next release and within 90 days.',
        'docs/supply-chain.md#what-ci-checks',
        'docs/supply-chain.md#updating-dependencies',
      ),
    ),
    '15.1.2': level2(
      'All dependencies are listed',
      met(
        'With version, hash and license, from one registry.',
        scripts('list-dependencies.test.ts', 'is the same each time, whatever the time and the machine'),
        'docs/supply-chain.md#what-is-taken-and-how-it-is-pinned',
      ),
    ),
    '15.1.3': level2(
      'Costly functions are documented, with what limits them',
      met(
        'Searches, imports, cleaning up, extraction, hashing of passwords and overload.',
        'docs/self-hosting.md#probes-and-metrics',
        'docs/self-hosting.md#limits',
        'docs/benchmarks.md#speed',
      ),
    ),
    '15.2.1': level1(
      'No dependency is vulnerable for longer than documented',
      notMet(
        '`npm run audit` asks the registry and must succeed before a release. No answer about the pinned versions is recorded, so nothing proves it.',
        'Versions are pinned, and taken only after a week.',
        scripts(
          'audit.test.ts',
          'fails if a version has a serious vulnerability',
          'says so too if there is no registry',
        ),
      ),
    ),
    '15.2.2': level2(
      'Costly functions can’t make the server unavailable',
      met(
        'Work on texts is linear, long work yields to other requests or waits in a queue, and an overloaded server refuses.',
        test('hostile-texts.test.ts', 'the server reads %s in linear time'),
        source(
          'api/pressure.test.ts',
          'an overloaded server rejects requests within seconds, in its usual format, and accepts them again once it has time',
        ),
        source('auth/passwords.test.ts', 'are computed two at a time, and rejected if too many are waiting'),
      ),
    ),
    '15.2.3': level2(
      'Production contains no tests or examples',
      met(
        'The package contains neither.',
        scripts('pack.long.test.ts', 'contains the program, what it needs and the licenses, and no sources or tests'),
      ),
    ),
    '15.3.1': level1(
      'Answers contain only the fields that are needed',
      met(
        'Those of the contract.',
        test('registry.answers.test.ts', '$name returns no field that its contract does not name'),
      ),
    ),
    '15.3.2': level2(
      'Calls to others follow no redirects',
      met(
        'Webhooks, endpoints of models, and our client.',
        source('webhooks/post.test.ts', 'causes no other request with the redirect %i'),
        source('embeddings/openai-compatible.faults.test.ts', 'does not follow a redirect'),
      ),
    ),
    '15.3.3': level2(
      'Fields that an action doesn’t have can’t be set',
      met(
        'Unknown fields are ignored.',
        test('registry.fields.test.ts', 'ignores unknown fields, whatever their names'),
      ),
    ),
    '15.3.4': level2(
      'The address of a client can’t be forged',
      met(
        'It is the address of the connection, unless it comes from a named proxy.',
        source(
          'sign-in/sign-in.test.ts',
          'logging in throttles each client behind a trusted proxy, and believes no other X-Forwarded-For',
        ),
      ),
    ),
    '15.3.5': level2(
      'Types are checked, and comparisons are strict',
      met(
        'Strict TypeScript without `any`, lint rules, and contracts at run time.',
        test('registry.fields.test.ts', 'rejects every value beyond a limit and of a wrong type, and names the field'),
        test('architecture.test.ts', 'never disable type checking'),
      ),
    ),
    '15.3.6': level2(
      'Prototypes can’t be polluted',
      met(
        'Special keys are refused or treated like any other.',
        source('core/json.test.ts', 'treats __proto__ like any other key'),
        source(
          'memories/write-memory.limits.test.ts',
          'refuses the metadata key __proto__ at any depth, which would be lost',
        ),
      ),
    ),
    '15.3.7': level2(
      'Repeated and misplaced parameters are harmless',
      met(
        'Each operation reads its input from one place; a parameter that is given twice is a list, which only lists accept; credentials come from one header.',
        source('operation/parse-input.test.ts', 'leave values that match no type to the contract'),
        test('registry.test.ts', 'ignores a key in the query and in the body'),
        test('http.test.ts', 'accepts one Authorization header and rejects two, in either order and spelling'),
      ),
    ),
  },
}
