import { expect, it } from 'vitest'
import { CallError } from '../../api/call-error.ts'
import { CannotUndo, describeLeft, describeRestored, undoEach, type UndoStep } from './undo-each.ts'

const works = (title: string): UndoStep => ({ title, undo: async () => {} })
const fails = (title: string, error: Error): UndoStep => ({ title, undo: () => Promise.reject(error) })
const changed = new CallError(409, 'The task has version 4, not 2')

it('a record that has changed since doesn’t stop the others, and is named', async () => {
  const done: string[] = []
  const last = { title: 'Delta', undo: async () => done.push('Delta') }
  const result = await undoEach([works('Alpha'), fails('Gamma', changed), last])
  expect(done).toEqual(['Delta'])
  expect(describeLeft(result)).toBe('2 undone. “Gamma” has changed since.')
  expect(describeLeft(result, 'restored')).toBe('2 restored. “Gamma” has changed since.')
})

it('several records are named by what became of them', async () => {
  const gone = new CallError(404, 'Memory not found')
  const steps = [
    fails('Alpha', changed),
    fails('Beta', new CannotUndo('changed')),
    fails('Gamma', gone),
    fails('Delta', new CallError(0, 'The server can’t be reached.')),
  ]
  expect(describeLeft(await undoEach(steps))).toBe(
    '“Alpha” and “Beta” have changed since. “Gamma” no longer exists. “Delta” couldn’t be undone: The server can’t be reached.',
  )
})

it('only the first of many are named', async () => {
  const steps = ['A', 'B', 'C', 'D', 'E'].map((title) => fails(title, changed))
  expect(describeLeft(await undoEach(steps))).toBe('“A”, “B”, “C” and 2 more have changed since.')
})

it('says what can’t be restored because it was deleted permanently', () => {
  expect(describeRestored(2, 0, 'memory', 'memories')).toBe('2 memories restored')
  expect(describeRestored(0, 1, 'memory', 'memories')).toBe('1 memory no longer exists.')
  expect(describeRestored(2, 3, 'memory', 'memories')).toBe('2 memories restored. 3 memories no longer exist.')
})
