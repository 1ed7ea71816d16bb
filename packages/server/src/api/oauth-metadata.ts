import { findIssuer, mcpPath, mcpScope, resourceOf } from '../integrations/oauth/issuer.ts'

/** How programs find out where to connect: metadata of the MCP server (RFC 9728) and of the authorization server (RFC 8414). */

export const protectedResourcePath = '/.well-known/oauth-protected-resource'
export const authorizePath = '/oauth/authorize'

export const describeResource = (issuer: string) => ({
  resource: resourceOf(issuer),
  resource_name: 'Holdfast',
  authorization_servers: [issuer],
  scopes_supported: [mcpScope],
  bearer_methods_supported: ['header'],
})

export const describeServer = (issuer: string) => ({
  issuer,
  authorization_endpoint: issuer + authorizePath,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: [mcpScope],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})

/** For the header of a 401. Empty if programs can't connect by themselves: they would look for a login that doesn't exist. */
export function challengeParams(publicUrl: string | undefined, host: string | undefined): string {
  const issuer = findIssuer(publicUrl, host)
  return issuer === undefined
    ? ''
    : ` resource_metadata="${issuer}${protectedResourcePath}${mcpPath}", scope="${mcpScope}"`
}
