import { invalid, ServiceError } from '../core/errors.ts'
import { authorizationRequest, checkRequest, findAsker } from '../integrations/oauth/authorization.ts'
import type { OauthClient } from '../integrations/oauth/client.ts'
import { addToRedirect, isLoopback } from '../integrations/oauth/redirect-uri.ts'
import type { Services } from '../operation/context.ts'
import { parseInput } from '../operation/parse-input.ts'

/** A program's request for access, on its way to the page where a person decides. */

const maxRequestChars = 8000

/**
 * The request as one word, so that nothing on the way to the page, such as the sign-in, can read and print its values in another way.
 * `state` must come back unchanged.
 */
export function pack(url: string): string {
  const query = url.split('?').slice(1).join('?')
  if (query.length > maxRequestChars) throw invalid({ '': `the request has more than ${maxRequestChars} characters` })
  return `q_${Buffer.from(query).toString('base64url')}`
}

function unpack(url: string): URLSearchParams {
  const packed = new URLSearchParams(url.split('?')[1]).get('request') ?? ''
  return new URLSearchParams(Buffer.from(packed.slice('q_'.length), 'base64url').toString('utf8'))
}

/**
 * What a program asks for, read from the address of the page. A wrong program or address is an error that is only shown: an answer could
 * go to anyone. Other mistakes are shown as well, with the address that the program expects the browser to return to; the person decides
 * whether to follow it, so this server can't be used to send people elsewhere unseen.
 */
export async function describeRequest(
  services: Services,
  caller: { userId: string; host: string | undefined },
  url: string,
): Promise<object> {
  const query = unpack(url)
  const twice = [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1)
  if (twice.length > 0) throw invalid({ '': 'the request names a parameter twice' })
  const given = (name: string) => query.get(name) ?? undefined
  const [clientId, redirectUri] = [given('client_id') ?? '', given('redirect_uri') ?? '']
  const { client, issuer } = await findAsker(services, caller, { clientId, redirectUri })
  const answerWith = (error: string) => addToRedirect(redirectUri, { error, state: given('state'), iss: issuer })
  const asker = { ...describeClient(client), ...describeTarget(redirectUri) }
  const request = {
    clientId,
    redirectUri,
    codeChallenge: given('code_challenge'),
    state: given('state'),
    resource: given('resource'),
  }
  if (given('response_type') !== 'code')
    return { asker, problem: 'response_type must be code', backTo: answerWith('unsupported_response_type') }
  if (given('code_challenge_method') !== 'S256')
    return { asker, problem: 'code_challenge_method must be S256', backTo: answerWith('invalid_request') }
  const { data, fields } = parseInput(authorizationRequest, request)
  if (data === undefined)
    return { asker, problem: Object.entries(fields).join('; '), backTo: answerWith('invalid_request') }
  try {
    await checkRequest(services, caller, data)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.fields?.['resource'] === undefined) throw error
    return { asker, problem: error.message, backTo: answerWith('invalid_target') }
  }
  return { asker, request: data, backTo: answerWith('access_denied') }
}

const describeClient = ({ name, documentHost }: OauthClient) => ({ name, documentHost: documentHost ?? null })

function describeTarget(redirectUri: string) {
  const url = new URL(redirectUri)
  return { redirectHost: url.host, isOnThisMachine: isLoopback(url) }
}
