import { level1, level2, notApplicable, type Chapter } from './requirement.ts'

const none = notApplicable(
  'Holdfast neither offers nor uses OAuth or OpenID Connect: agents have keys, people sign in with a password or passkey.',
)

export const oauth: Chapter = {
  id: 'V10',
  name: 'OAuth and OIDC',
  requirements: {
    '10.1.1': level2('Tokens go only where they are needed', none),
    '10.1.2': level2('Answers belong to a flow that the client started', none),
    '10.2.1': level2('Clients: the code flow is protected from other sites', none),
    '10.2.2': level2('Clients: servers can’t be mixed up', none),
    '10.3.1': level2('Resources: tokens are for this service', none),
    '10.3.2': level2('Resources: the claims of a token decide', none),
    '10.3.3': level2('Resources: users are recognized by lasting claims', none),
    '10.3.4': level2('Resources: the strength of the sign-in is checked', none),
    '10.4.1': level1('Servers: redirects go to registered URLs', none),
    '10.4.2': level1('Servers: codes work once', none),
    '10.4.3': level1('Servers: codes are valid for minutes', none),
    '10.4.4': level1('Servers: only grants that a client needs', none),
    '10.4.5': level1('Servers: refresh tokens can’t be replayed', none),
    '10.4.6': level2('Servers: the code flow needs PKCE', none),
    '10.4.7': level2('Servers: registration by anyone is limited', none),
    '10.4.8': level2('Servers: refresh tokens expire', none),
    '10.4.9': level2('Servers: users can revoke tokens', none),
    '10.4.10': level2('Servers: confidential clients authenticate', none),
    '10.4.11': level2('Servers: clients get only scopes that they need', none),
    '10.5.1': level2('OIDC clients: ID tokens can’t be replayed', none),
    '10.5.2': level2('OIDC clients: users are recognized by lasting claims', none),
    '10.5.3': level2('OIDC clients: metadata is from the right issuer', none),
    '10.5.4': level2('OIDC clients: ID tokens are for this client', none),
    '10.5.5': level2('OIDC clients: no one else can sign users out', none),
    '10.6.1': level2('OIDC providers: only safe response modes', none),
    '10.6.2': level2('OIDC providers: no one else can sign users out', none),
    '10.7.1': level2('Consent is asked for', none),
    '10.7.2': level2('Consent says what it is about', none),
    '10.7.3': level2('Consent can be seen and revoked', none),
  },
}
