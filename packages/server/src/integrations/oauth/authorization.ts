import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../crypto/secrets.ts'
import type { Tx } from '../../db/dialect.ts'
import type { Instance } from '../../instance/instance.ts'
import type { PersonContext } from '../../operation/context.ts'
import { issueAgentKey, type AgentKey, type NewAgentKey } from '../key-store.ts'
import { getClient, usedClientMs, type OauthClient } from './client.ts'
import { extendClient } from './client-store.ts'
import { deleteUnused, insertGrant } from './grant-store.ts'
import { findIssuer, resourceOf } from './issuer.ts'
import { addToRedirect, allows } from './redirect-uri.ts'

/** What a program asks of a person. The page where they decide sends it back unchanged. */
export const authorizationRequest = z
  .object({
    clientId: z.string().min(1).max(2000).describe('`client_id` of the program.'),
    redirectUri: z.string().min(1).max(2000).describe('`redirect_uri`: where the answer goes.'),
    codeChallenge: z
      .string()
      .length(43)
      .regex(/^[\w-]+$/, 'must be a code challenge of the method S256')
      .describe('`code_challenge` of the method S256.'),
    state: z.string().max(4000).optional().describe('`state`, returned unchanged.'),
    resource: z.string().max(2000).optional().describe('`resource`: must be the MCP server. Default: that.'),
  })
  .describe(
    'Allows a program that asked with OAuth to connect, as an MCP client. The answer then has no secret, but `redirectTo`, where the browser takes the code.',
  )

export type AuthorizationRequest = z.output<typeof authorizationRequest>

/** Programs exchange codes at once. */
const codeMs = 60_000

type Asking = Pick<PersonContext, 'db' | 'instance' | 'webhooks' | 'now' | 'publicUrl'>

export interface CheckedRequest {
  request: AuthorizationRequest
  client: OauthClient
  issuer: string
}

/** Where to send an answer, once it is known that the program registered this address. Nothing is ever sent to any other. */
export async function findAsker(
  services: Asking,
  { userId, host }: { userId: string; host: string | undefined },
  { clientId, redirectUri }: Pick<AuthorizationRequest, 'clientId' | 'redirectUri'>,
): Promise<Omit<CheckedRequest, 'request'>> {
  const issuer = findIssuer(services.publicUrl, host)
  if (issuer === undefined)
    throw invalid({
      '': 'programs can only connect over https, or on this machine. The operator sets HOLDFAST_PUBLIC_URL',
    })
  const client = await getClient(services, userId, clientId)
  if (!client.redirectUris.some((registered) => allows(registered, redirectUri)))
    throw invalid({ redirectUri: 'is not registered for this program' })
  return { client, issuer }
}

export async function checkRequest(
  services: Asking,
  caller: { userId: string; host: string | undefined },
  request: AuthorizationRequest,
): Promise<CheckedRequest> {
  const { client, issuer } = await findAsker(services, caller, request)
  if (request.resource !== undefined && request.resource !== resourceOf(issuer))
    throw invalid({ resource: `must be ${resourceOf(issuer)}` })
  return { request, client, issuer }
}

/**
 * Creates the key of a connection and the code for it. Nobody knows the key's secret: the program gets another one for the code. Without
 * that, the key ends with the code.
 */
export async function allow(
  tx: Tx,
  instance: Instance,
  { request, client, issuer }: CheckedRequest,
  { userId, integrationId, label, at }: Omit<NewAgentKey, 'expiresAt'>,
): Promise<{ key: AgentKey; redirectTo: string }> {
  await deleteUnused(tx, userId, at)
  const code = newSecret('hfg_')
  const codeExpiresAt = at + codeMs
  const { key } = await issueAgentKey(tx, instance, {
    userId,
    integrationId,
    label,
    expiresAt: codeExpiresAt,
    at,
  })
  const { clientId, redirectUri, codeChallenge, state } = request
  await insertGrant(tx, instance, {
    userId,
    id: key.id,
    integrationId,
    codeHash: hashSecret(code),
    codeExpiresAt,
    request: { clientId, clientName: client.name, redirectUri, codeChallenge, resource: resourceOf(issuer) },
  })
  if (client.documentHost === undefined) await extendClient(tx, clientId, at + usedClientMs)
  return { key, redirectTo: addToRedirect(redirectUri, { code, state, iss: issuer }) }
}
