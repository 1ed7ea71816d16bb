import { expect, it } from 'vitest'
import type { Change } from './changed-lists.ts'
import { changeTypes } from '../generated/web-operations.ts'
import { createInbox } from './live-inbox.ts'

function makeInbox() {
  const applied: (readonly Change[])[] = []
  const tab = { isVisible: true }
  const inbox = createInbox(
    () => tab.isVisible,
    (changes) => applied.push(changes),
  )
  return { applied, tab, inbox }
}

it('applies changes immediately while the tab is visible', () => {
  const { applied, inbox } = makeInbox()
  inbox.add({ vaultId: 'a', types: ['notes'] })
  inbox.open()
  expect(applied).toEqual([[{ vaultId: 'a', types: ['notes'] }]])
})

it('keeps each type of each vault once, however often it changes while the tab is hidden', () => {
  const { applied, tab, inbox } = makeInbox()
  tab.isVisible = false
  for (let n = 0; n < 600; n++) inbox.add({ vaultId: 'a', types: n % 2 === 0 ? ['memories'] : ['memories', 'tasks'] })
  inbox.add({ vaultId: null, types: ['agents'] })
  expect(applied).toEqual([])
  tab.isVisible = true
  inbox.open()
  inbox.open()
  expect(applied).toEqual([
    [
      { vaultId: 'a', types: ['memories', 'tasks'] },
      { vaultId: null, types: ['agents'] },
    ],
  ])
})

it('refetches everything when it is unknown what changed', () => {
  const { applied, tab, inbox } = makeInbox()
  tab.isVisible = false
  inbox.addAll()
  tab.isVisible = true
  inbox.open()
  expect(applied).toEqual([[{ vaultId: null, types: [...changeTypes] }]])
})
