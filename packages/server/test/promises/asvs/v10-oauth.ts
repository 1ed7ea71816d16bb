import { browser, source } from '../proof.ts'
import { level1, level2, met, notApplicable, type Chapter } from './requirement.ts'

const routes = (...titles: string[]) => source('api/oauth.test.ts', ...titles)
const page = (...titles: string[]) => browser('authorize.e2e.ts', ...titles)
const documented = 'docs/mcp.md#connect-claudeai-and-chatgpt'

const noClient = notApplicable('Holdfast is an authorization server for its own MCP server, and a client of none.')
const noSignIn = notApplicable(
  'OAuth gives programs access for an agent. People don’t sign in with it, and there is no OpenID Connect.',
)

export const oauth: Chapter = {
  id: 'V10',
  name: 'OAuth and OIDC',
  requirements: {
    '10.1.1': level2(
      'Tokens go only where they are needed',
      met(
        'Programs get them; browsers only see the code.',
        routes('is returned to the program with its state and the name of this server, and without a secret'),
      ),
    ),
    '10.1.2': level2(
      'Answers belong to a flow that the client started',
      met(
        'PKCE is required, and `state` comes back unchanged.',
        routes(
          'cannot allow a request %s, and the person decides whether to return',
          'is shown who asks, where the code would go, and the request unchanged',
        ),
      ),
    ),
    '10.2.1': level2('Clients: the code flow is protected from other sites', noClient),
    '10.2.2': level2('Clients: servers can’t be mixed up', noClient),
    '10.3.1': level2(
      'Resources: tokens are for this service',
      met(
        'Access tokens are refused everywhere but at `/mcp`, and requests for another resource get none.',
        routes(
          'gets tokens for its code, and calls as the agent that the person chose',
          'cannot refresh with a token of another program, or for another resource',
        ),
      ),
    ),
    '10.3.2': level2(
      'Resources: the claims of a token decide',
      met(
        'A token stands for an agent, whose rights are read from the database at each call.',
        routes('is cut off at once when a person pauses or deletes its agent, or revokes its key'),
      ),
    ),
    '10.3.3': level2(
      'Resources: users are recognized by lasting claims',
      met('By their id.', routes('gets tokens for its code, and calls as the agent that the person chose')),
    ),
    '10.3.4': level2(
      'Resources: the strength of the sign-in is checked',
      notApplicable(
        'A person with a second factor needs it to allow a program; the program’s calls need no other sign-in.',
      ),
    ),
    '10.4.1': level1(
      'Servers: redirects go to registered URLs',
      met(
        'Compared as text; only the port of a program on the same machine may differ.',
        routes(
          'learns no address to go to for %s',
          'lets programs on this machine choose their port, and nothing else',
        ),
      ),
    ),
    '10.4.2': level1(
      'Servers: codes work once',
      met(
        'A second use ends what the first began.',
        routes('gets nothing for a code that is used twice, and loses what it got for it'),
      ),
    ),
    '10.4.3': level1(
      'Servers: codes are valid for minutes',
      met('For one.', routes('gets nothing for a code after a minute, and the list forgets it')),
    ),
    '10.4.4': level1(
      'Servers: only grants that a client needs',
      met('Codes and refresh tokens; there are no others.', documented),
    ),
    '10.4.5': level1(
      'Servers: refresh tokens can’t be replayed',
      met(
        'They work once. A second use ends the access.',
        routes('loses its connection if a refresh token comes a second time, however old it is'),
      ),
    ),
    '10.4.6': level2(
      'Servers: the code flow needs PKCE',
      met('With S256.', routes('cannot allow a request %s, and the person decides whether to return')),
    ),
    '10.4.7': level2(
      'Servers: registration by anyone is limited',
      met(
        'Metadata is checked, and the page shows it as a claim.',
        routes(
          'refuses the redirect address %j',
          'slows down one address after twenty in an hour',
          'refuses giant metadata',
        ),
      ),
    ),
    '10.4.8': level2(
      'Servers: refresh tokens expire',
      met(
        '90 days after the last use. People end the access earlier if they want.',
        routes('replaces both tokens with each refresh, and keeps the connection for 90 days from then'),
      ),
    ),
    '10.4.9': level2(
      'Servers: users can revoke tokens',
      met(
        'In the dashboard, at once.',
        routes('is cut off at once when a person pauses or deletes its agent, or revokes its key'),
      ),
    ),
    '10.4.10': level2('Servers: confidential clients authenticate', notApplicable('All clients are public.')),
    '10.4.11': level2(
      'Servers: clients get only scopes that they need',
      met(
        'The person chooses the agent, with its vaults and rights.',
        page('shows who asks, lets the person choose or create an agent, and returns a code that works'),
      ),
    ),
    '10.5.1': level2('OIDC clients: ID tokens can’t be replayed', noSignIn),
    '10.5.2': level2('OIDC clients: users are recognized by lasting claims', noSignIn),
    '10.5.3': level2('OIDC clients: metadata is from the right issuer', noSignIn),
    '10.5.4': level2('OIDC clients: ID tokens are for this client', noSignIn),
    '10.5.5': level2('OIDC clients: no one else can sign users out', noSignIn),
    '10.6.1': level2('OIDC providers: only safe response modes', noSignIn),
    '10.6.2': level2('OIDC providers: no one else can sign users out', noSignIn),
    '10.7.1': level2(
      'Consent is asked for',
      met(
        'Each time, and nothing is chosen in advance.',
        page('shows who asks, lets the person choose or create an agent, and returns a code that works'),
      ),
    ),
    '10.7.2': level2(
      'Consent says what it is about',
      met(
        'Who asks, which host gets the access, the rights of the agent and how long it lasts.',
        page('shows who asks, lets the person choose or create an agent, and returns a code that works'),
      ),
    ),
    '10.7.3': level2(
      'Consent can be seen and revoked',
      met(
        'With the keys of the agent.',
        page('shows who asks, lets the person choose or create an agent, and returns a code that works'),
      ),
    ),
  },
}
