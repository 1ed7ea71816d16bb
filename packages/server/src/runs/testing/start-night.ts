import { expect } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/person.ts'
import { startAgent, type makeClock } from '../../../test/scenarios.ts'

type Body = Record<string, unknown>

/** A person, two of their agents, and what reverts the run `night` of the agent `evil`. Each call is a second later. */
export async function startNight(test: TestApp, clock: ReturnType<typeof makeClock>) {
  const person = await makePerson(test)
  const { user } = person
  const evil = await startAgent(test, { user, agentId: 'evil' })
  const codex = await startAgent(test, { user, agentId: 'codex' })
  const caller = (call: typeof evil.call, more: Body) => async (name: string, body: Body) => {
    clock.advance(1000)
    const answer = await call(name, { ...more, ...body })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const byPerson = caller(person.call, {})
  const revert = async (dryRun: boolean) => {
    const runs = (await byPerson('list-runs', {})).runs as { id: string; agentRunId: string; agentId: string }[]
    const run = runs.find(({ agentRunId, agentId }) => agentRunId === 'night' && agentId === 'evil')
    return byPerson('revert-run', { id: run?.id, dryRun })
  }
  return {
    person,
    evil,
    vaultId: user.vaultId,
    byPerson,
    inRun: caller(evil.call, { agentRunId: 'night' }),
    byEvil: caller(evil.call, {}),
    byCodex: caller(codex.call, {}),
    preview: () => revert(true),
    revert: () => revert(false),
    readNote: async (id: unknown) => (await byPerson('read-note', { id })).note as Body,
    readTask: async (id: unknown) => ((await codex.call('list-tasks', { taskIds: [id] })).body.tasks as Body[])[0],
    readDocument: async (documentType: string) =>
      ((await byPerson('list-documents', { documentType })).documents as Body[])[0],
  }
}
