import { createClient } from '@holdfast/client'
import { HoldfastChatMessageHistory, HoldfastRetriever } from '@holdfast/client/langchain'

const client = createClient({ agentId: 'gardener' })
const history = new HoldfastChatMessageHistory(client, { sessionId: 'ada' }) // for RunnableWithMessageHistory

await history.addUserMessage('My tomatoes are called Tim and Tom.')
await history.addAIMessage('Noted.')
console.log((await history.getMessages()).map(({ content }) => content))

await client.memories.write({ content: 'Tomatoes get water at dawn.' })
const retriever = new HoldfastRetriever(client, { sources: ['memories'] }) // for any chain
for (const { pageContent, metadata } of await retriever.invoke('When do tomatoes get water?'))
  console.log(pageContent, metadata['memoryType'])

// Prints:
// [ 'My tomatoes are called Tim and Tom.', 'Noted.' ]
// Tomatoes get water at dawn. fact
