import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { createClient } from '@holdfast/client'
import { memoryToolHandlers } from '@holdfast/client/anthropic'

const client = createClient()
const message = await new Anthropic().beta.messages.toolRunner({
  model: 'claude-sonnet-5-5',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Remember that tomatoes get water at dawn.' }],
  tools: [betaMemoryTool(memoryToolHandlers(client, { folder: 'claude' }))],
})
console.log(message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''))
for await (const note of client.notes.list({ folderPath: 'claude' })) console.log(note.title)

// Prints:
// Noted.
// water.md
