import { browser, crash, source, test } from '../proof.ts'
import { level1, level2, met, notMet, type Chapter } from './requirement.ts'

const secrecy = crash('secrecy.test.ts', 'leaves none of them in its files, its tables or its output, however it ends')

export const dataProtection: Chapter = {
  id: 'V14',
  name: 'Data protection',
  requirements: {
    '14.1.1': level2(
      'Sensitive data is known and classified',
      met(
        'Secrets that are only compared (hashed), everything that people and agents write and other secrets (encrypted), and plain columns, each with a reason.',
        'SECURITY.md#what-is-protected',
        'docs/stored-columns.md',
      ),
    ),
    '14.1.2': level2(
      'Each class has documented protection',
      met(
        'Encryption, integrity, what a thief learns, logs, and how long things are kept.',
        'docs/encryption.md',
        'docs/self-hosting.md#logs',
        'docs/vaults.md#settings',
      ),
    ),
    '14.2.1': level1(
      'URLs contain nothing sensitive',
      notMet(
        'No credential is ever in a URL. But the dashboard’s lists are filtered in the query string, by words, tags, names and email addresses, and so are the addresses of its pages.',
        'The server logs no URLs, and pages send no referrer. The documentation asks proxies not to log query strings. Agents’ calls, and searches by meaning, have their input in the body.',
        test('registry.test.ts', 'ignores a key in the query and in the body'),
        'docs/self-hosting.md#behind-a-tls-proxy',
      ),
    ),
    '14.2.2': level2(
      'Caches of servers keep nothing sensitive',
      met(
        'Answers forbid caching. The server’s own caches hold keyed words and vectors; titles of notes that somebody has opened stay for ten minutes.',
        test('http.test.ts', 'prevents browsers from guessing types, framing and caching'),
        'SECURITY.md#what-is-protected',
      ),
    ),
    '14.2.3': level2(
      'Nothing sensitive goes to third parties',
      met(
        'The server calls no other by default, and the pages can talk to their server only.',
        crash('no-network.test.ts', 'searches by meaning and accesses no network'),
        source('api/web.test.ts', 'is returned at each of its URLs, with a policy and a new nonce each time'),
      ),
    ),
    '14.2.4': level2(
      'The documented protection is in place',
      met(
        'Planted texts are searched for in files, tables, logs and backups.',
        secrecy,
        source('backups/backups.test.ts', 'contain no root key, and no more plain text than the database'),
        source('activity/activity.test.ts', 'is deleted after 90 days'),
      ),
    ),
    '14.3.1': level1(
      'The browser forgets data when a session ends',
      met(
        'Also in other tabs, and if the server can’t be reached.',
        browser(
          'sign-in.e2e.ts',
          'keeps nothing after signing out, even during an import',
          'clears other tabs too, and opens them for the next user',
          'does the same when the session ends elsewhere, and gives the next user no draft',
        ),
      ),
    ),
    '14.3.2': level2(
      'Browsers don’t cache sensitive answers',
      met(
        '`no-store` on each answer, except for files of the build.',
        test('http.test.ts', 'prevents browsers from guessing types, framing and caching'),
        source('api/web.test.ts', 'are cached permanently, and compressed for clients that accept it'),
      ),
    ),
    '14.3.3': level2(
      'The browser stores nothing sensitive',
      met(
        'Except for the session key: ids, and how pages look. Words of a search stay in memory; the name of a file being imported stays until the tab is closed or the session ends.',
        browser('graph.e2e.ts', 'colors the results of a search, and stores no text'),
        browser('sign-in.e2e.ts', 'keeps nothing after signing out, even during an import'),
      ),
    ),
  },
}
