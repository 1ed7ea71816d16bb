import { createClient } from '@holdfast/client'
import { HoldfastStorage } from '@holdfast/client/mastra'
import { Agent } from '@mastra/core/agent'
import { Memory } from '@mastra/memory'
import { model } from './model.ts' // any model of the AI SDK, or its name

const memory = new Memory({ storage: new HoldfastStorage(createClient()) })
const agent = new Agent({ id: 'gardener', name: 'Gardener', instructions: 'You care for plants.', model, memory })

const place = { resource: 'ada', thread: 'ferns' }
await agent.generate('My ferns are called Tim and Tom.', { memory: place })
await agent.generate('What are they called?', { memory: place })
const { messages } = await memory.recall({ threadId: 'ferns', resourceId: 'ada' })
console.log(messages.map(({ role }) => role))

// Prints:
// [ 'user', 'assistant', 'user', 'assistant' ]
