import { expect } from 'vitest'
import { startAgent } from '../../../test/scenarios.ts'

/** An agent that writes notes, and reads which links lead where. */
export const startNotes = async (...given: Parameters<typeof startAgent>) => {
  const agent = await startAgent(...given)
  const create = async (title: string, content = '', over: object = {}) =>
    String((await agent.call('create-note', { title, content, ...over })).body.noteId)
  const update = async (noteId: string, change: object) => {
    const answer = await agent.call('update-note', { noteId, ...change })
    expect([200, answer.text]).toEqual([answer.status, answer.text])
    return answer.body
  }
  const note = async (noteId: string) =>
    (await agent.call('read-note', { noteId })).body.note as { content: string; version: number }
  const linkedFrom = (noteId: string) =>
    given[0].app.services.db.read
      .selectFrom('links')
      .select(['id', 'targetId', 'origin', 'relationType'])
      .where('vaultId', '=', agent.user.vaultId)
      .where('sourceId', '=', noteId)
      .where('removedAt', 'is', null)
      .orderBy('id')
      .execute()
  const targets = async (noteId: string) => (await linkedFrom(noteId)).map(({ targetId }) => targetId).toSorted()
  return { ...agent, create, update, note, linkedFrom, targets }
}
