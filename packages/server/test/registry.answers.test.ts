import { expect, it } from 'vitest'
import { registry } from '../src/api/registry.ts'
import { useTestApp } from './app.ts'
import { callAs, inputFor, makeWorld } from './sweep-world.ts'
import { undeclaredFields } from './undeclared-fields.ts'

/** What each operation really answers, beside what its contract says. Every other test's answers are held to the same. */

const test = useTestApp()

// What has no success in a world that has an owner and nobody's password.
const answering = registry.filter(({ name }) => !['login', 'setup', 'operator-setup'].includes(name))

it.each(answering)('$name answers with no field that its contract does not name', async (operation) => {
  const world = await makeWorld(test())
  const { status, body, text } = await callAs(test(), operation, world, inputFor(operation, world))
  expect(status, text).toBeLessThan(300)
  expect(undeclaredFields(operation.name, body)).toEqual([])
})
