import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson } from '../../test/person.ts'
import { startAgent } from '../../test/scenarios.ts'
import { extractTurns } from '../jobs/extract-turns.ts'
import type { LanguageModel } from './language-model.ts'

eachDialect('a turn', (dialect) => {
  const test = useTestApp({ dialect })

  it('can be deleted permanently, and the memories found in it stay', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, preset: 'admin' })
    const { body } = await agent.call('ingest-turn', { role: 'user', content: 'Never push to main.' })
    const [id, memoryId] = [String(body.turnId), String((body.memoryIds as string[])[0])]
    expect((await person.call('erase-turn', { id })).body).toEqual({ id, deleted: true })
    expect((await person.call('erase-turn', { id })).status).toBe(404)
    expect((await person.call('list-run-turns', { id })).status).toBe(404)
    expect(await agent.read(memoryId)).toMatchObject({ content: 'Never push to main.' })
  })

  it('cannot be deleted by another user', async () => {
    const [person, stranger] = [await makePerson(test()), await makePerson(test())]
    const agent = await startAgent(test(), { user: person.user, preset: 'admin' })
    const { body } = await agent.call('ingest-turn', { role: 'user', content: 'Never push to main.' })
    for (const where of [{}, { vaultId: person.user.vaultId }])
      expect((await stranger.call('erase-turn', { id: body.turnId, ...where })).status).toBe(404)
    expect((await person.call('list-run-turns', { id: body.turnId })).status).toBe(200)
  })

  it('that is deleted while a language model looks at it leaves no memory', async () => {
    const { db } = test().app.services
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, preset: 'admin' })
    const { body } = await agent.call('ingest-turn', { role: 'user', content: 'Never push to main.' })
    const turnId = String(body.turnId)
    const { userId, vaultId } = person.user
    const job = { userId, vaultId, turnId, attempt: 0, dueAt: 0 }
    await db.write((tx) => tx.insertInto('extractionJobs').values(job).execute())
    const memory = { content: 'It is forbidden to push to main.', importance: 3, confidence: 0.8, entities: [] }
    const model: LanguageModel = {
      async extract() {
        await person.call('erase-turn', { id: turnId })
        return [{ ...memory, memoryType: 'constraint' }]
      },
    }
    await extractTurns(test().app.services, model).run(new AbortController().signal)
    expect((await agent.search('forbidden')).length).toBe(0)
    const jobs = db.read.selectFrom('extractionJobs').select('turnId').where('turnId', '=', turnId)
    expect(await jobs.execute()).toEqual([])
  })
})
