import { expect, it } from 'vitest'
import type { Change } from './changed-lists.ts'
import { changeTypes } from '../generated/web-operations.ts'
import { createInbox } from './live-inbox.ts'

function makeInbox() {
  const applied: (readonly Change[])[] = []
  const tab = { isLookedAt: true }
  const inbox = createInbox(
    () => tab.isLookedAt,
    (changes) => applied.push(changes),
  )
  return { applied, tab, inbox }
}

it('passes on at once what changes while somebody looks', () => {
  const { applied, inbox } = makeInbox()
  inbox.take({ vaultId: 'a', types: ['notes'] })
  inbox.open()
  expect(applied).toEqual([[{ vaultId: 'a', types: ['notes'] }]])
})

it('keeps each type of each vault once, however often it changes while nobody looks', () => {
  const { applied, tab, inbox } = makeInbox()
  tab.isLookedAt = false
  for (let n = 0; n < 600; n++) inbox.take({ vaultId: 'a', types: n % 2 === 0 ? ['memories'] : ['memories', 'tasks'] })
  inbox.take({ vaultId: null, types: ['agents'] })
  expect(applied).toEqual([])
  tab.isLookedAt = true
  inbox.open()
  inbox.open()
  expect(applied).toEqual([
    [
      { vaultId: 'a', types: ['memories', 'tasks'] },
      { vaultId: null, types: ['agents'] },
    ],
  ])
})

it('has all asked for where nobody knows what changed', () => {
  const { applied, tab, inbox } = makeInbox()
  tab.isLookedAt = false
  inbox.takeAll()
  tab.isLookedAt = true
  inbox.open()
  expect(applied).toEqual([[{ vaultId: null, types: [...changeTypes] }]])
})
