import type { LanguageModelMiddleware } from 'ai'
import { printMemories } from './ai-sdk-tools.ts'
import { clip } from './clip.ts'
import type { Client } from './create-client.ts'
import { markRecalled } from './mark-recalled.ts'

export { memoryTools, type ToolOptions } from './ai-sdk-tools.ts'

export interface RecallOptions {
  /** How many memories are put before a question. Default: 6. */
  topK?: number
  /** Most time that recalling may take, in milliseconds; beyond it the model answers without. Default: 3,000. */
  timeoutMs?: number
  /** Most characters of them; the longest are shortened. Default: 6,000. */
  maxChars?: number
}

/** The steps of a turn ask the same within this time; who asks again later is told what is remembered by then. */
const keptMs = 60_000

/**
 * Puts memories that fit the last question of the user before it, as data between marks: a line for each, its summary where
 * it has one. They are searched once for the steps of a turn. It stores nothing. Where the memory is away, the model answers
 * without, and the next step asks again.
 */
export function recallMiddleware(
  client: Client,
  { topK = 6, timeoutMs = 3000, maxChars = 6000 }: RecallOptions = {},
): LanguageModelMiddleware {
  let last: { query: string; at: number; recalled: Promise<string> } | undefined

  async function recall(query: string): Promise<string> {
    const search = client.memories.search({ query, topK, summaryOnly: true }, { timeoutMs, maxRetries: 0 })
    const { memories } = await search
    return memories.length === 0 ? '' : markRecalled(printMemories(memories, maxChars))
  }

  function recallOnce(query: string): Promise<string> {
    if (last?.query === query && Date.now() - last.at < keptMs) return last.recalled
    const recalled = recall(query).catch(() => {
      if (last?.recalled === recalled) last = undefined
      return ''
    })
    last = { query, at: Date.now(), recalled }
    return recalled
  }

  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const at = params.prompt.findLastIndex(({ role }) => role === 'user')
      const message = params.prompt[at]
      if (message?.role !== 'user') return params
      const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      const query = clip(texts.join('\n'), 10_000)
      if (query.trim() === '') return params
      const recalled = await recallOnce(query)
      if (recalled === '') return params
      const content = [{ type: 'text' as const, text: recalled }, ...message.content]
      return { ...params, prompt: params.prompt.with(at, { ...message, content }) }
    },
  }
}

/**
 * For `onEnd` (also called `onFinish`) of generateText and streamText, which is called once a turn: hands in what the user
 * and the model said, and what is worth remembering of it becomes memories. It never rejects; `onError` hears of failures.
 */
export function rememberTurn(client: Client, userText: string, onError: (error: unknown) => void = () => {}) {
  return async ({ text: answer }: { readonly text: string }): Promise<void> => {
    for (const turn of [{ role: 'user', content: userText } as const, { role: 'assistant', content: answer } as const])
      if (turn.content.trim() !== '')
        await client.session.ingestTurn({ ...turn, content: clip(turn.content, 50_000) }).catch(onError)
  }
}
