import { responseParts, responseText } from '../core/response-text.ts'

/**
 * Requests to a server that implements OpenAI's `POST <url>/chat/completions`. Only the operator sets the URL. Uses plain fetch, as for
 * embeddings (docs/adr/0006-embedding-http.md).
 */
export interface ChatEndpoint {
  url: URL
  headers: Record<string, string>
  model: string
}

export interface ChatOptions {
  /** Without `/chat/completions`. A query string is kept. */
  url: string
  key: string | undefined
  model: string
}

export interface ChatMessage {
  role: 'system' | 'user'
  content: string
}

/** Has neither a cause nor the response text, since both can contain user content. `code` is safe to log. */
export class ModelError extends Error {
  readonly code: string
  /** A retry would fail in the same way. */
  readonly isFinal: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    code: string,
    { isFinal = false, retryAfterMs }: { isFinal?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(`The language model failed: ${code}`)
    this.name = 'ModelError'
    this.code = code
    this.isFinal = isFinal
    this.retryAfterMs = retryAfterMs
  }
}

const maxResponseBytes = 1024 * 1024

/** Throws a TypeError if the URL is invalid. Opens no connection. */
export function chatEndpoint({ url, key, model }: ChatOptions): ChatEndpoint {
  const endpoint = new URL(url)
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  return { url: endpoint, headers, model }
}

// The endpoint rejected the request itself, so a retry is pointless.
const refusals = new Set([400, 413, 422])

/** The response, if the endpoint accepts the request. Rejects with a ModelError, or with fetch's own error. */
export async function postChat(
  { url, headers, model }: ChatEndpoint,
  messages: readonly ChatMessage[],
  { isStreamed = false, signal }: { isStreamed?: boolean; signal: AbortSignal },
): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model, messages, ...(isStreamed && { stream: true }) }),
    // A redirect would send text and key to an address that the operator did not choose.
    redirect: 'manual',
    signal,
  })
  if (response.ok) return response
  await response.body?.cancel()
  const retryAfterMs = retryAfter(response.headers.get('retry-after'))
  throw new ModelError(`http_${response.status}`, { isFinal: refusals.has(response.status), retryAfterMs })
}

const tooLarge = () => new ModelError('too_large')

/** The text of the body as it arrives. Rejects if it is too long. */
export const readText = (response: Response) => responseParts(response, maxResponseBytes, tooLarge)

export const readWholeText = (response: Response) => responseText(response, maxResponseBytes, tooLarge)

/** Only seconds. Dates are ignored, because callers have delays of their own. */
const retryAfter = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined
