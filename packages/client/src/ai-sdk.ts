import type { LanguageModelMiddleware } from 'ai'
import { printMemory } from './ai-sdk-tools.ts'
import type { Client } from './create-client.ts'
import { markRecalled } from './mark-recalled.ts'

export { memoryTools } from './ai-sdk-tools.ts'

export interface RecallOptions {
  /** How many memories are put before a question. Default: 6. */
  topK?: number
  /** Most time that recalling may take, in milliseconds; beyond it the model answers without. Default: 3,000. */
  timeoutMs?: number
}

/**
 * Puts memories that fit the last question of the user before it, as data between marks, once for all steps of a turn. It
 * stores nothing. Where the memory is away, the model answers without.
 */
export function recallMiddleware(
  client: Client,
  { topK = 6, timeoutMs = 3000 }: RecallOptions = {},
): LanguageModelMiddleware {
  let last: { query: string; recalled: Promise<string> } | undefined

  async function recall(query: string): Promise<string> {
    try {
      const { memories } = await client.memories.search({ query, topK }, { timeoutMs, maxRetries: 0 })
      return memories.length === 0 ? '' : markRecalled(memories.map(printMemory).join('\n'))
    } catch {
      return ''
    }
  }

  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const at = params.prompt.findLastIndex(({ role }) => role === 'user')
      const message = params.prompt[at]
      if (message?.role !== 'user') return params
      const query = message.content
        .flatMap((part) => (part.type === 'text' ? [part.text] : []))
        .join('\n')
        .slice(0, 10_000)
      if (query.trim() === '') return params
      if (last?.query !== query) last = { query, recalled: recall(query) }
      const recalled = await last.recalled
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
        await client.session.ingestTurn({ ...turn, content: turn.content.slice(0, 50_000) }).catch(onError)
  }
}
