import { refusalOf, request, type InputOf, type OutputOf } from './call.ts'
import { CallError } from './call-error.ts'
import { routes } from './operations.ts'
import { readEvents } from './read-events.ts'

export type AskAnswer = OutputOf<'ask-vault'>
export type AskSource = AskAnswer['sources'][number]

/** What arrives before the answer is complete. */
export interface AskPart {
  sources?: AskSource[]
  text?: string
}

/** Longer than the server waits for the model. */
const timeoutMs = 90_000

/** Asks a question. `onPart` receives the sources, then the text as the model writes it. */
export async function ask(
  input: InputOf<'ask-vault'>,
  onPart: (part: AskPart) => void,
  signal: AbortSignal,
): Promise<AskAnswer> {
  const { method, path } = routes['ask-vault']
  const response = await request(path, method, JSON.stringify(input), {
    accept: 'text/event-stream',
    timeoutMs,
    signal,
  })
  const { ok, body, headers } = response
  if (!ok || body === null || headers.get('Content-Type')?.startsWith('text/event-stream') !== true)
    throw refusalOf(response, await response.json().catch(() => undefined))
  for await (const { event, data } of readEvents(body)) {
    if (event === 'part') onPart(JSON.parse(data) as AskPart)
    if (event === 'answer') return JSON.parse(data) as AskAnswer
    if (event === 'error') throw new CallError(0, (JSON.parse(data) as { error: string }).error)
  }
  throw new CallError(0, 'The answer was cut off. Try again.')
}
