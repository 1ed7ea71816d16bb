import { browser, source, test, web } from '../proof.ts'
import { level1, level2, met, notApplicable, type Chapter } from './requirement.ts'

export const encoding: Chapter = {
  id: 'V1',
  name: 'Encoding and sanitization',
  requirements: {
    '1.1.1': level2(
      'Input is decoded once, before it is checked',
      met(
        'The router decodes paths once, and the JSON parser decodes bodies once, strictly as UTF-8. Contracts check the result.',
        source('api/web.test.ts', 'include only files of the build'),
        test('http.test.ts', 'reports a malformed URL as such'),
        test('conformance/access.test.ts', 'is rejected with a lone surrogate, another type, or too much data'),
      ),
    ),
    '1.1.2': level2(
      'Output is encoded last, by what interprets it',
      met(
        'Texts are stored as they came. React encodes HTML, Kysely passes values apart from statements, and `JSON.stringify` writes answers.',
        source('memories/write-memory.limits.test.ts', 'are returned unchanged, in every field that accepts text'),
        source('api/pages.test.ts', 'shows contracts as text'),
      ),
    ),
    '1.2.1': level1(
      'Output is encoded for where it is put: HTML, attributes, headers',
      met(
        'Pages are made by React; the reference page escapes what it prints. No header contains text of a user.',
        browser('shell.e2e.ts', 'shows unknown pages as not found, and stored markup as text'),
        source('api/pages.test.ts', 'shows contracts as text'),
        web('components/text/read-markdown.test.ts', 'shows HTML as written, and reads the Markdown around it'),
      ),
    ),
    '1.2.2': level1(
      'URLs are built with encoded parts and safe protocols only',
      met(
        'Links in texts lead to web pages and mail addresses only; webhooks use HTTPS.',
        web('components/text/read-markdown.test.ts', 'links web pages and mail addresses only'),
        source('webhooks/vet-url.test.ts', 'must not lead to %s'),
      ),
    ),
    '1.2.3': level1(
      'JavaScript and JSON are built without injection',
      met(
        'No script is built from data, and the policy of the pages allows files of the build only. JSON is written by `JSON.stringify`.',
        source('api/web.test.ts', 'is returned at each of its URLs, with a policy and a new nonce each time'),
        source('memories/write-memory.limits.test.ts', 'are returned unchanged, in every field that accepts text'),
      ),
    ),
    '1.2.4': level1(
      'Database queries take values as parameters',
      met(
        'Kysely builds all statements; raw SQL is in migrations and contains no values of users. Injection strings are stored and returned unchanged.',
        test('architecture.test.ts', 'contain every query'),
        test('owner-filters.test.ts', 'have a condition on owner and vault, with few exceptions'),
        source('memories/write-memory.limits.test.ts', 'are returned unchanged, in every field that accepts text'),
      ),
    ),
    '1.2.5': level1(
      'Commands of the operating system contain no input',
      met(
        'The server starts two programs: the command of the operator that prints the root key, and its own process for a local model. Neither gets input of a request as an argument.',
        'packages/server/src/instance/root-key-source.ts',
        'packages/server/src/embeddings/model-process.ts',
      ),
    ),
    '1.2.6': level2('LDAP queries are safe', notApplicable('Holdfast uses no LDAP.')),
    '1.2.7': level2('XPath queries are safe', notApplicable('Holdfast uses no XPath.')),
    '1.2.8': level2('LaTeX processors are restricted', notApplicable('Holdfast uses no LaTeX.')),
    '1.2.9': level2(
      'Input in regular expressions is escaped',
      met(
        'Keywords and titles are matched literally.',
        source('text/signals.test.ts', 'treats custom keywords literally, never as patterns'),
        source('text/find-in-text.test.ts', 'are found quickly in texts built to be slow'),
      ),
    ),
    '1.3.1': level1(
      'HTML from editors is sanitized',
      met(
        'Nothing renders HTML of users: it is shown as it was written.',
        web('components/text/read-markdown.test.ts', 'shows HTML as written, and reads the Markdown around it'),
      ),
    ),
    '1.3.2': level1(
      'No code is made from input',
      met(
        'No input is executed. The pages allow neither inline scripts nor `eval`.',
        source('api/web.test.ts', 'is returned at each of its URLs, with a policy and a new nonce each time'),
      ),
    ),
    '1.3.3': level2(
      'Data for a dangerous context is sanitized before',
      met(
        'Stored text reaches models between marks that it can’t imitate, names are reduced to one line without invisible characters, and cells of a CSV file can’t be formulas.',
        test('mcp/stored-text.test.ts', 'cannot escape its marks'),
        web('pages/activity/activity-words.test.ts', 'exports no formulas, even if an agent is named like one'),
        source('cli/connect-command.test.ts', 'prints no control sequences that others put into a name'),
      ),
    ),
    '1.3.4': level2('SVG of users is sanitized', notApplicable('Holdfast accepts and shows no images of users.')),
    '1.3.5': level2(
      'Markdown, CSS and the like of users can’t act',
      met(
        'The reader of Markdown makes a fixed set of elements, without HTML, images or styles.',
        web(
          'components/text/read-markdown.test.ts',
          'shows HTML as written, and reads the Markdown around it',
          'links web pages and mail addresses only',
        ),
        browser('memories.e2e.ts', 'shows origin, replacement history and links, and loads no images'),
      ),
    ),
    '1.3.6': level2(
      'The server can’t be made to call other services',
      met(
        'Only webhooks call URLs of users: HTTPS, the usual ports, public addresses, checked for each attempt and again once connected. Receivers are the user’s choice, so there is no list of hosts.',
        source(
          'webhooks/vet-url.test.ts',
          'is tested with more than 300 spellings',
          'is never connected to, in any spelling',
        ),
        source(
          'webhooks/post.test.ts',
          'is connected to at the vetted address, whatever it resolves to later',
          'causes no other request with the redirect %i',
        ),
      ),
    ),
    '1.3.7': level2('Templates contain no input', notApplicable('There is no template engine.')),
    '1.3.8': level2('JNDI is safe', notApplicable('Holdfast uses no Java.')),
    '1.3.9': level2('Memcache is safe', notApplicable('Holdfast uses no memcache.')),
    '1.3.10': level2(
      'Format strings contain no input',
      met(
        'Names of log events are constants, and their fields come from a closed list.',
        source('core/log.test.ts', 'omits every field that is not on the list'),
      ),
    ),
    '1.3.11': level2('Mail systems are safe', notApplicable('Holdfast sends no mail.')),
    '1.4.1': level2(
      'Memory is handled safely',
      met(
        'All our code is TypeScript. Native code is in Node, SQLite’s driver and argon2, which are listed with reasons.',
        'docs/adr/0005-dependencies.md',
      ),
    ),
    '1.4.2': level2(
      'Numbers are checked against overflow',
      met(
        'Contracts limit every number; binary encodings refuse what doesn’t fit.',
        test('registry.fields.test.ts', 'rejects every value beyond a limit and of a wrong type, and names the field'),
        source('crypto/encode.test.ts', 'rejects %d'),
      ),
    ),
    '1.4.3': level2(
      'Memory and resources are released',
      met(
        'Memory is collected; buffers with keys are overwritten; connections and files are closed when the server stops.',
        source('crypto/keys.test.ts', 'copies the bytes, so the caller can wipe them'),
        source('api/events.test.ts', 'does not keep the server from stopping'),
        'docs/encryption.md#keys',
      ),
    ),
    '1.5.1': level1('XML parsers load nothing', notApplicable('Nothing parses XML.')),
    '1.5.2': level2(
      'Deserialized data can’t become objects of other types',
      met(
        'Only JSON, and YAML without custom types in front matter of imports, is read. Contracts pick the known fields.',
        test('registry.fields.test.ts', 'ignores unknown fields, whatever their names'),
        source('core/json.test.ts', 'treats __proto__ like any other key'),
        'packages/transfer/src/sources/front-matter.ts',
      ),
    ),
  },
}
