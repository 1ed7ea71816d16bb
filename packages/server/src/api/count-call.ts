import type { AgentActor } from '../auth/actor.ts'
import { embedOnce } from '../embeddings/embed-once.ts'
import { meterEmbeddings } from '../limits/meter-embeddings.ts'
import type { CallCounter, CountedCall } from '../operation/call-counter.ts'
import type { PublicContext } from '../operation/context.ts'
import type { Route } from '../operation/operation.ts'
import { errorResponse, successStatus } from './responses.ts'

interface BegunCall {
  operation: Route
  actor: AgentActor
  /** As `performance.now()` has it. */
  beganAt: number
}

/** Whatever becomes of an agent's call, it is counted with the time that it took. */
export async function runCounted(
  { operation, actor, beganAt }: BegunCall,
  calls: CallCounter,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const call = countedCall(operation, actor)
  const note = (status: number, answerChars?: number) =>
    calls.note({ ...call, status, durationMs: performance.now() - beganAt, answerChars })
  try {
    const output = await work()
    note(successStatus(false), charsOf(output))
    return output
  } catch (error) {
    note(errorResponse(error).status)
    throw error
  }
}

export const countedCall = (
  { name: operation }: Route,
  { userId, integrationId }: Pick<AgentActor, 'userId' | 'integrationId'>,
): CountedCall => ({ userId, integrationId, operation })

/** Of answers that are cut to a length, and say it. */
const charsOf = (output: unknown) => (output as { budget?: { usedChars?: number } }).budget?.usedChars

/** The same context, in which a text is embedded once, and its tokens are counted. */
export function counting(base: PublicContext, noteTokens: (tokens: number) => void): PublicContext {
  const { embeddings } = base
  if (embeddings === undefined) return base
  const metered = meterEmbeddings(embeddings, noteTokens)
  return { ...base, embeddings: embedOnce(metered) }
}
