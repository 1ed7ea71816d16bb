import { migratedTemplate } from '../database.ts'
import type { TestDialect } from '../dialects.ts'
import { openPlace, type Place } from './place.ts'

/** Calls `work` with a place of its own. Meanwhile no timer fires: only the seed decides what happens when. */
export async function inPlace<T>(dialect: TestDialect, work: (place: Place) => Promise<T>): Promise<T> {
  const store = await dialect.freshUrl(migratedTemplate)
  if (store.kind !== 'postgres') throw new Error('several servers need PostgreSQL')
  const restoreTimers = stopTimers()
  let place: Place | undefined
  try {
    place = await openPlace(store.url)
    return await work(place)
  } finally {
    restoreTimers()
    await place?.close()
  }
}

/** Returns a function that lets new timers fire again. Vitest's own fake ones would list all that never fire. */
function stopTimers(): () => void {
  const { setTimeout: wait, setInterval: repeat } = globalThis
  const never = () => wait(() => {}, 2 ** 31 - 1).unref()
  Object.assign(globalThis, { setTimeout: never, setInterval: never })
  return () => void Object.assign(globalThis, { setTimeout: wait, setInterval: repeat })
}
