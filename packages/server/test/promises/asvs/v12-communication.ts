import { source } from '../proof.ts'
import { level1, level2, met, notApplicable, notMet, type Chapter } from './requirement.ts'

const proxy = 'docs/self-hosting.md#behind-a-tls-proxy'
const certificates = source(
  'webhooks/post.test.ts',
  'requires a certificate that this machine trusts, for the name in the URL',
  'fails if the server has none',
)

export const communication: Chapter = {
  id: 'V12',
  name: 'Secure communication',
  requirements: {
    '12.1.1': level1(
      'Only TLS 1.2 and 1.3',
      met(
        'Connections that the server opens use what Node accepts by default, which is these two. The proxy in front accepts connections from others, and the documentation says which versions.',
        proxy,
      ),
    ),
    '12.1.2': level2(
      'Only recommended cipher suites',
      notMet(
        'The server sets no list: it uses Node’s, and the proxy has its own.',
        'Node’s list prefers forward secrecy and leaves out broken ciphers.',
        proxy,
      ),
    ),
    '12.1.3': level2(
      'Client certificates are checked before they are used',
      notApplicable('No client is recognized by a certificate.'),
    ),
    '12.2.1': level1(
      'Clients reach the server with TLS only',
      notMet(
        'The server speaks plain HTTP, and doesn’t refuse to listen on an address that other machines reach.',
        'By default it listens on its own machine only. Otherwise it says at the start that TLS is missing, and `holdfast doctor` warns. Behind a proxy with `HOLDFAST_PUBLIC_URL`, browsers are kept on TLS.',
        proxy,
        source(
          'sign-in/sign-in.test.ts',
          'behind TLS, the cookie is Secure and bound to its host, and each answer keeps browsers on TLS for a year',
        ),
      ),
    ),
    '12.2.2': level1(
      'Certificates are publicly trusted',
      notApplicable('The server has no certificate; the proxy has.'),
    ),
    '12.3.1': level2(
      'All connections are encrypted',
      notMet(
        'PostgreSQL on another machine and webhooks need TLS. Endpoints of models may have an `http://` URL, PostgreSQL on the same machine isn’t encrypted, and the proxy reaches the server without TLS.',
        'The operator sets these URLs; they are meant for the same machine. `sslmode` can turn off TLS to PostgreSQL, which the documentation explains.',
        source(
          'db/postgres.test.ts',
          'is required for %s',
          'that a server does not offer is an error that says what to do, and sends nothing',
        ),
        'docs/self-hosting.md#postgresql',
      ),
    ),
    '12.3.2': level2(
      'Certificates of others are verified',
      met(
        'Of receivers, databases and endpoints, unless the operator sets `sslmode=no-verify`.',
        certificates,
        source('db/postgres.test.ts', 'is required for %s'),
      ),
    ),
    '12.3.3': level2(
      'Connections inside the installation are encrypted',
      notMet(
        'The proxy reaches the server over plain HTTP.',
        'Both are meant to be on one machine: the server listens on a loopback address by default.',
        proxy,
      ),
    ),
    '12.3.4': level2(
      'Connections inside the installation use trusted certificates',
      met(
        '`sslrootcert` in the URL of PostgreSQL trusts one authority instead of the public ones.',
        'docs/self-hosting.md#postgresql',
      ),
    ),
  },
}
