import { createClient } from '@holdfast/client'
import { HoldfastSaver } from '@holdfast/client/langgraph'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'

const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', ({ messages }) => ({ messages: [{ role: 'ai', content: `Message ${messages.length}` }] }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile({ checkpointer: new HoldfastSaver(createClient()) })

const thread = { configurable: { thread_id: 'ada' } }
await graph.invoke({ messages: [{ role: 'user', content: 'Hello' }] }, thread)
const { messages } = await graph.invoke({ messages: [{ role: 'user', content: 'And now?' }] }, thread)
console.log(messages.map(({ content }) => content))

// Prints:
// [ 'Hello', 'Message 1', 'And now?', 'Message 3' ]
