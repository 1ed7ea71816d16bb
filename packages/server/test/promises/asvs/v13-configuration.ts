import { crash, scripts, source, test } from '../proof.ts'
import { level1, level2, met, notMet, type Chapter } from './requirement.ts'

export const configuration: Chapter = {
  id: 'V13',
  name: 'Configuration',
  requirements: {
    '13.1.1': level2(
      'All connections are documented',
      met(
        'By default there are none. Each one that a setting or a webhook adds is listed.',
        crash('no-network.test.ts', 'searches by meaning and accesses no network'),
        'SECURITY.md#trust-boundaries',
        'docs/configuration.md',
      ),
    ),
    '13.2.1': level2(
      'Parts of the installation authenticate with short-lived credentials',
      notMet(
        'PostgreSQL and endpoints of models are reached with a password or a key that stays the same until the operator changes it.',
        'PostgreSQL can also be reached with a client certificate or a socket, the role needs no other rights, and all secrets can be in files.',
        'docs/self-hosting.md#postgresql',
        'docs/configuration.md',
      ),
    ),
    '13.2.2': level2(
      'Accounts between the parts have the least rights',
      met(
        'The role of the database owns one database, the process of a local model gets no settings, and files are for the server’s user only.',
        source('db/postgres.test.ts', 'needs a role that owns its database, and no other rights'),
        source('embeddings/transformers.test.ts', 'gets no environment variables, which may contain the root key'),
        source('cli/serve.test.ts', 'lets others read none of its files, and says if they can list its folder'),
      ),
    ),
    '13.2.3': level2(
      'There are no default credentials',
      met(
        'Keys are random, and the URL of a database has no default.',
        source(
          'instance/root-key-source.test.ts',
          'is created for its user only, in a folder for its user only, and loaded from then on',
        ),
        'docs/configuration.md',
      ),
    ),
    '13.2.4': level2(
      'What the server may reach is on a list',
      notMet(
        'Settings name the database and the endpoints of models. But users choose receivers of webhooks among all public addresses, and no setting limits that.',
        'Only HTTPS, only usual ports, never a private address. The operator can limit outgoing connections of the server’s user.',
        source('webhooks/vet-url.test.ts', 'is never connected to, in any spelling'),
      ),
    ),
    '13.2.5': level2(
      'What the web server may load is on a list',
      notMet(
        'For webhooks, as above. Files are read only from the build of the dashboard, by a list of types.',
        'As above.',
        source('api/web.test.ts', 'include only files of the build'),
      ),
    ),
    '13.3.1': level2(
      'Secrets are kept by a secrets manager',
      notMet(
        'By default, the root key is in a file outside the data folder. Agent keys, tokens and passwords are stored as hashes, and other secrets are encrypted under the root key.',
        '`HOLDFAST_ROOT_KEY_COMMAND` gets the key from a secrets manager. No secret is in the code or in what is built.',
        source('instance/root-key-source.test.ts', 'is read from the output of a command'),
        source('instance/instance.test.ts', 'keeps the root key out of the data folder and out of the database'),
      ),
    ),
    '13.3.2': level2(
      'Few can reach secrets',
      met(
        'Files for one user, the environment without the root key, and each user’s and vault’s key only for calls that may use it.',
        source(
          'instance/root-key-source.test.ts',
          'is created for its user only, in a folder for its user only, and loaded from then on',
        ),
        source(
          'config.test.ts',
          'is removed from the environment of the process when it is read, and not from another',
        ),
        source(
          'auth/keyring.test.ts',
          'is unavailable to an integration without a wrap, with an error that says what to do',
        ),
      ),
    ),
    '13.4.1': level1(
      'The history of the code isn’t where the server runs',
      met(
        'The package, which production runs, has no history. In a checkout, no request can reach it.',
        source('api/web.test.ts', 'include only files of the build'),
        scripts('pack.long.test.ts', 'contains the program, what it needs and the licenses, and no sources or tests'),
      ),
    ),
    '13.4.2': level2(
      'Nothing for debugging is on',
      met(
        'There is no debug mode, errors say nothing about the inside, and no signal opens Node’s inspector.',
        source('cli/serve.test.ts', 'does not open the inspector of Node at a signal'),
        source('api/payloads.test.ts', 'says nothing about internal errors'),
      ),
    ),
    '13.4.3': level2(
      'No folder is listed',
      met('Files are found by name only.', source('api/web.test.ts', 'include only files of the build')),
    ),
    '13.4.4': level2(
      'TRACE isn’t answered',
      met('Like any unknown route.', test('http.test.ts', 'does not return a request to its sender (TRACE)')),
    ),
    '13.4.5': level2(
      'Documentation and monitoring are exposed on purpose only',
      met(
        'The reference is public on purpose and says nothing about the instance. Metrics are for the same machine, the operator, and a token that opens nothing else.',
        test('http.test.ts', 'are hidden from other machines, except for the operator'),
        'docs/self-hosting.md#probes-and-metrics',
      ),
    ),
  },
}
