import { createClient } from '@holdfast/client'
import { HoldfastSession } from '@holdfast/client/openai-agents'
import { Agent, run } from '@openai/agents-core'
import { agentModel } from './model.ts' // any model, or its name

const session = new HoldfastSession(createClient(), { sessionId: 'ada' })
const agent = new Agent({ name: 'Gardener', model: agentModel })

await run(agent, 'My tomatoes are called Tim and Tom.', { session })
await run(agent, 'What are they called?', { session })
console.log((await session.getItems()).length)

// Prints:
// 4
