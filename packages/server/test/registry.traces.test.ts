import { expect, it } from 'vitest'
import { routes } from '../src/api/registry.ts'
import type { ChangeNews } from '../src/calls/news.ts'
import { useTestApp } from './app.ts'
import { asksForSecret, callAs, idsIn, inputFor, makeWorld, worldsOf, type World } from './sweep-world.ts'

/** Two people on one server, each with one of everything: one must see nothing of the other. */

const test = useTestApp()
const worldFor = worldsOf(test)

const forPeople = routes.filter((operation) => operation.audience === 'person' && !asksForSecret(operation))

const tracesOf = (world: World) => [...idsIn(world), world.user.email, world.key.slice(-4)]

let other: Promise<World> | undefined
const neighbour = () => (other ??= makeWorld(test()))

it.each(forPeople)('$name shows nothing of another user', async (operation) => {
  const [theirs, own] = [await neighbour(), await worldFor(operation)]
  const heard: ChangeNews[] = []
  const { leave } = test().app.services.news.listen(theirs.user.userId, (one) => heard.push(one), undefined)
  const { text, headers } = await callAs(test(), operation, own, inputFor(operation, own))
  leave()
  const shown = JSON.stringify(headers) + text
  // Four characters can appear anywhere by chance, but not as the end of a key.
  const [tail = '', ...traces] = tracesOf(theirs).toReversed()
  expect(traces.filter((trace) => shown.includes(trace))).toEqual([])
  expect(shown).not.toContain(`"${tail}"`)
  expect(heard).toEqual([])
})
