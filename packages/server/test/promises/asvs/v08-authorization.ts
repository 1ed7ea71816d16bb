import { source, test } from '../proof.ts'
import { level1, level2, met, type Chapter } from './requirement.ts'

const matrix = test('access-matrix.long.test.ts', 'every cell of the access matrix is refused, and changes nothing')

export const authorization: Chapter = {
  id: 'V8',
  name: 'Authorization',
  requirements: {
    '8.1.1': level1(
      'Rules for functions and records are documented',
      met(
        'The reference lists who may call each operation and with which scopes.',
        'docs/api/operations.md',
        'docs/glossary.md',
        'SECURITY.md#who-could-attack',
      ),
    ),
    '8.1.2': level2(
      'Rules for fields are documented',
      met(
        'Contracts name the fields of each kind of caller; the write policy says which fields an agent may change, and when.',
        'docs/write-policy.md#what-the-policy-covers',
        'docs/api/operations.md',
      ),
    ),
    '8.2.1': level1(
      'Only those with a permission call a function',
      met(
        'For every operation and every kind of caller.',
        test(
          'registry.test.ts',
          'rejects a key without its scope, before the body is read',
          'accepts only its own kind of credential',
        ),
        matrix,
      ),
    ),
    '8.2.2': level1(
      'Only those with a permission reach a record',
      met(
        'Ids of others are like unknown ones, and each query has its owner.',
        test('registry.fields.test.ts', "returns the same for someone else's %s as for an unknown id"),
        test('owner-filters.test.ts', 'have a condition on owner and vault, with few exceptions'),
        matrix,
      ),
    ),
    '8.2.3': level2(
      'Only those with a permission read and write a field',
      met(
        'Answers contain the fields of their contract, unknown fields are ignored, and authors can’t be set.',
        test('registry.answers.test.ts', '$name returns no field that its contract does not name'),
        test('registry.fields.test.ts', 'ignores unknown fields, whatever their names'),
        source(
          'machine/read-system.test.ts',
          'shows its owner where everything is stored, and others only what they search with',
        ),
      ),
    ),
    '8.3.1': level1(
      'The server decides',
      met('In one step of each call.', 'packages/server/src/api/dispatch.ts', matrix),
    ),
    '8.4.1': level2(
      'Nothing reaches another tenant',
      met(
        'Users are the tenants: rows, keys, limits, searches and live updates are separate.',
        test('registry.traces.test.ts', '$name shows nothing of another user'),
        source('auth/private-scope-store.test.ts', "cannot be opened as another user's, nor as a vault"),
        matrix,
      ),
    ),
  },
}
