import { createClient } from '@holdfast/client'
import { memoryTools, recallMiddleware, rememberTurn } from '@holdfast/client/ai-sdk'
import { generateText, stepCountIs, wrapLanguageModel } from 'ai'
import { model } from './model.ts' // any model of the AI SDK

const client = createClient({ agentId: 'gardener' })
const prompt = 'When do tomatoes get water?'

const { text } = await generateText({
  model: wrapLanguageModel({ model, middleware: recallMiddleware(client) }),
  tools: memoryTools(client),
  stopWhen: stepCountIs(10),
  onEnd: rememberTurn(client, prompt),
  prompt,
})
console.log(text)

// Prints:
// At dawn.
