import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { CommandError, exitCodes } from './exit-codes.ts'
import { checkAll } from './check-command.ts'
import { holdfast, json, makePlace, serve, setUp } from './testing/run-holdfast.ts'

describe('check', { timeout: 300_000 }, () => {
  it('reads everything with or without a server, repairs what it can, and its exit code says whether anything was damaged', async () => {
    const place = await makePlace()
    const { agentKey } = await setUp(place)
    const first = await serve(place)
    const call = (url: string, name: string, body: object) =>
      fetch(`${url}/api/agent/${name}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${String(agentKey)}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await call(first.url, 'write-memory', { content: 'The ferry leaves at noon.' })).status).toBe(201)
    expect(await json(place, ['check'])).toMatchObject({ problems: [] })
    first.child.kill('SIGTERM')
    await first.finished
    const database = new SqliteDatabase(join(place.dataDir, 'holdfast.db'))
    database.exec('delete from "indexEntries"')
    database.close()
    const found = await holdfast(place, ['check'])
    expect([found.code, found.stdout]).toEqual([1, expect.stringMatching(/repairable +missing +indexEntries/)])
    expect(found.stdout).toMatch(/To repair them: .*check .*--repair/)
    const { url } = await serve(place)
    const repaired = await holdfast(place, ['check', '--repair'])
    expect([repaired.code, repaired.stderr]).toEqual([1, expect.stringContaining('Repaired: 1.')])
    const clean = await holdfast(place, ['check', '--repair'])
    expect([clean.code, clean.stdout]).toEqual([0, expect.stringContaining('Everything stored is intact')])
    for (const { stdout } of [found, repaired]) expect(stdout).not.toContain('ferry')
    expect(await (await call(url, 'search-memories', { query: 'ferry' })).text()).toContain('The ferry leaves at noon.')
    const elsewhere = await holdfast(place, ['check', '--vault', '01a22d63-5a27-74cd-9dda-7646fae68985'])
    expect(elsewhere.code).toBe(4)
  })
})

describe('a check whose server goes away', () => {
  const away = () => new CommandError(exitCodes.unavailable, 'No answer.')

  it('continues where it was, once the server is back', async () => {
    const asked: unknown[] = []
    const found = await checkAll(
      {
        async call(_operation, input) {
          asked.push(input['from'])
          if (asked.length === 2) throw away()
          return { rows: 10, total: 20, problems: [], next: asked.length < 3 ? 'second' : null }
        },
      },
      { json: true },
      { pauseMs: 0 },
    )
    expect(asked).toEqual([undefined, 'second', 'second'])
    expect(found.rows).toBe(20)
  })

  it('says how to continue, if it stays away', async () => {
    const checking = checkAll(
      { call: () => Promise.reject(away()) },
      { json: true, repair: true, from: 'here' },
      { pauseMs: 0 },
    )
    await expect(checking).rejects.toMatchObject({
      exitCode: 5,
      next: expect.stringContaining('check --repair --from here'),
    })
  })
})
