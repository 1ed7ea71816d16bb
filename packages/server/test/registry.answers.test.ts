import { expect, it } from 'vitest'
import { routes } from '../src/api/registry.ts'
import { useTestApp } from './app.ts'
import { asksForSecret, callAs, inputFor, worldsOf } from './sweep-world.ts'
import { undeclaredFields } from './undeclared-fields.ts'

/** What each operation really returns, compared with its contract. The answers in all other tests are checked as well. */

const test = useTestApp()
const worldFor = worldsOf(test)

const answering = routes.filter((operation) => !asksForSecret(operation))

it.each(answering)('$name returns no field that its contract does not name', async (operation) => {
  const world = await worldFor(operation)
  const { status, body, text } = await callAs(test(), operation, world, inputFor(operation, world))
  expect(status, text).toBeLessThan(300)
  expect(undeclaredFields(operation.name, body)).toEqual([])
})
