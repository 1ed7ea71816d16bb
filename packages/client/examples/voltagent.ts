import { createClient } from '@holdfast/client'
import { HoldfastStorage } from '@holdfast/client/voltagent'
import { Agent, Memory } from '@voltagent/core'
import { model } from './model.ts' // any model of the AI SDK, or its name

const memory = new Memory({ storage: new HoldfastStorage(createClient()) })
const agent = new Agent({ name: 'Gardener', instructions: 'You care for plants.', model, memory })

const place = { userId: 'ada', conversationId: 'ferns' }
await agent.generateText('My ferns are called Tim and Tom.', place)
await agent.generateText('What are they called?', place)
const messages = await memory.getMessages('ada', 'ferns') // VoltAgent stores questions a little later
console.log(messages.at(-1)?.parts)

// Prints:
// [ { type: 'text', text: 'At dawn.' } ]
