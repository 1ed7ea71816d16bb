/** The file `model.ts` of the examples, in place of the reader's model: the mock of the AI SDK, and a minimal one for OpenAI Agents. */

/** For the AI SDK from version 5 on: each has a mock of its own. */
export const aiModel = `
import * as testing from 'ai/test'

const mocks = testing as unknown as Record<string, new (options: object) => never>
const isOld = mocks['MockLanguageModelV3'] === undefined && mocks['MockLanguageModelV4'] === undefined
const Mock = mocks['MockLanguageModelV4'] ?? mocks['MockLanguageModelV3'] ?? mocks['MockLanguageModelV2']
if (Mock === undefined) throw new Error('There is no mock')

const answer = {
  content: [{ type: 'text', text: 'At dawn.' }],
  finishReason: isOld ? 'stop' : { unified: 'stop', raw: undefined },
  usage: isOld
    ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
    : { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
  warnings: [],
}
export const model = new Mock({ doGenerate: async () => answer })
`

export const agentModel = `
import { setDefaultModelProvider, Usage, type Model } from '@openai/agents-core'

export const agentModel: Model = {
  async getResponse() {
    const content = [{ type: 'output_text' as const, text: 'Tim and Tom.' }]
    return { usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content }] }
  },
  async *getStreamedResponse() {},
}
// Older versions need one even for an agent that has its model.
setDefaultModelProvider({ getModel: () => agentModel })
`

/** What Anthropic's API answers when a model creates a file with the memory tool, and then says something. */
export const claudeAnswers = [
  claude(
    [
      {
        type: 'tool_use',
        id: 't1',
        name: 'memory',
        input: { command: 'create', path: '/memories/water.md', file_text: 'Tomatoes get water at dawn.' },
      },
    ],
    'tool_use',
  ),
  claude([{ type: 'text', text: 'Noted.' }], 'end_turn'),
]

function claude(content: object[], reason: string) {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content,
      stop_reason: reason,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  }
}
