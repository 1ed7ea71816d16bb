import { source, test } from '../proof.ts'
import { level1, level2, met, notApplicable, type Chapter } from './requirement.ts'

const noGraphql = notApplicable('There is no GraphQL.')
const noWebSocket = notApplicable(
  'There are no WebSockets; live updates are server-sent events over the usual requests.',
)

export const api: Chapter = {
  id: 'V4',
  name: 'API and web service',
  requirements: {
    '4.1.1': level1(
      'Each body has a content type that is true, with its encoding',
      met(
        'JSON, pages, texts and files of the build.',
        test('http.test.ts', 'prevents browsers from guessing types, framing and caching'),
        source('api/web.test.ts', 'name their type, with the encoding of texts'),
      ),
    ),
    '4.1.2': level2(
      'Only pages redirect from HTTP to HTTPS',
      met(
        'The server redirects nothing to HTTPS. The proxy in front should do it for pages only, as the documentation says.',
        'docs/self-hosting.md#behind-a-tls-proxy',
      ),
    ),
    '4.1.3': level2(
      'Callers can’t set headers that proxies set',
      met(
        'Only `X-Forwarded-For` is read, and only from proxies that the operator has named.',
        source(
          'sign-in/sign-in.test.ts',
          'logging in throttles each client behind a trusted proxy, and believes no other X-Forwarded-For',
        ),
      ),
    ),
    '4.2.1': level2(
      'All parts agree where a request ends',
      met(
        'Node’s strict parser, which refuses a request with both lengths. Tests send broken requests through three proxies.',
        test(
          'proxies/proxies.long.test.ts',
          'nginx and the server agree',
          'HAProxy and the server agree',
          'Apache and the server agree',
        ),
        test(
          'http.test.ts',
          'answers a malformed request line or header with an error and continues',
          'rejects two Host headers, because a proxy and the server may not use the same one',
          'returns the usual error for a request that %s',
        ),
      ),
    ),
    '4.3.1': level2('GraphQL queries are limited', noGraphql),
    '4.3.2': level2('GraphQL introspection is off', noGraphql),
    '4.4.1': level1('WebSockets use TLS', noWebSocket),
    '4.4.2': level2('WebSockets check the origin', noWebSocket),
    '4.4.3': level2('WebSockets have tokens of their own', noWebSocket),
    '4.4.4': level2('Tokens of WebSockets come from a session', noWebSocket),
  },
}
