import { createClient } from '@holdfast/client'
import { HoldfastStore } from '@holdfast/client/langgraph'

const store = new HoldfastStore(createClient()) // for compile({ store })

await store.put(['users', 'ada'], 'food', { likes: 'pasta with basil' })
const [found] = await store.search(['users'], { query: 'basil' })
console.log(found?.namespace, found?.value)

// Prints:
// [ 'users', 'ada' ] { likes: 'pasta with basil' }
