import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { forgetState, readState, writeState, type RunState } from './run-state.ts'

/** Starts a hook: reads the state and returns it with a function that saves it. */
function openHook(sessionId: string) {
  const base = readState(sessionId)
  return { state: structuredClone(base), close: (state: RunState) => writeState(sessionId, base, state) }
}

function openSession(): string {
  const sessionId = randomUUID()
  onTestFinished(() => forgetState(sessionId))
  return sessionId
}

it('keeps the changes of two hooks that run at the same time', () => {
  const sessionId = openSession()
  const first = openHook(sessionId)
  first.close({ ...first.state, shown: ['a', 'b'], turns: { user: '1' } })
  const [turn, prompt] = [openHook(sessionId), openHook(sessionId)]
  prompt.close({ ...prompt.state, shown: ['a', 'b', 'c'], hasWarned: true })
  turn.close({ ...turn.state, turns: { user: '1', assistant: '2' }, awayUntil: 5 })
  expect(readState(sessionId)).toEqual({
    shown: ['a', 'b', 'c'],
    turns: { user: '1', assistant: '2' },
    hasWarned: true,
    hasCheckpoint: false,
    awayUntil: 5,
  })
})

it('forgets what a hook removes, but not what another hook has added since', () => {
  const sessionId = openSession()
  const first = openHook(sessionId)
  first.close({ ...first.state, shown: ['a', 'b'] })
  const [start, prompt] = [openHook(sessionId), openHook(sessionId)]
  prompt.close({ ...prompt.state, shown: ['a', 'b', 'c'] })
  start.close({ ...start.state, shown: ['b', 'd'] })
  expect(readState(sessionId).shown).toEqual(['b', 'c', 'd'])
})

it('leaves one file', () => {
  const sessionId = openSession()
  const hook = openHook(sessionId)
  hook.close({ ...hook.state, shown: ['a'] })
  const folder = join(tmpdir(), `holdfast-hooks-${userInfo().uid}`)
  expect(readdirSync(folder).filter((name) => name.startsWith(sessionId))).toEqual([`${sessionId}.json`])
})
