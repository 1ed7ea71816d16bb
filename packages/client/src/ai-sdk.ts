import type { LanguageModelMiddleware } from 'ai'
import { printMemories } from './ai-sdk-tools.ts'
import { clip } from './clip.ts'
import type { Client } from './create-client.ts'
import { markRecalled } from './mark-recalled.ts'

export { memoryTools, type MemoryTools, type ToolOptions } from './ai-sdk-tools.ts'

export interface RecallOptions {
  /** How many memories are added to a question. Default: 6. */
  topK?: number
  /** Time limit for the search, in milliseconds. After that, the model answers without memories. Default: 3,000. */
  timeoutMs?: number
  /** Maximum characters of all memories; the longest are shortened. Default: 6,000. */
  maxChars?: number
}

/** How long a search result is reused for the steps of a turn. */
const reuseMs = 60_000

/**
 * Adds matching memories in front of the user's last question, as data between marks: one line each, with the summary if there
 * is one. It searches once per turn and stores nothing. If the search fails, the model answers without memories, and the next
 * step searches again.
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
    if (last?.query === query && Date.now() - last.at < reuseMs) return last.recalled
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
 * For `onEnd` (or `onFinish`) of generateText and streamText, which runs once per turn. It records what the user and the model
 * said, and Holdfast extracts memories from it. It never rejects; failures go to `onError`.
 */
export function rememberTurn(client: Client, userText: string, onError: (error: unknown) => void = () => {}) {
  return async ({ text: answer }: { readonly text: string }): Promise<void> => {
    for (const turn of [{ role: 'user', content: userText } as const, { role: 'assistant', content: answer } as const])
      if (turn.content.trim() !== '')
        await client.session.ingestTurn({ ...turn, content: clip(turn.content, 50_000) }).catch(onError)
  }
}
