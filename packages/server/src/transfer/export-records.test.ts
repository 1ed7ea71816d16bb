import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { makeUserWithAgent } from '../../test/factories.ts'

const test = useTestApp()

it('a page of long memories ends early, and the pages together have each memory once', async () => {
  const { vaultId, key, dashboardToken } = await makeUserWithAgent(test())
  const written: string[] = []
  for (let at = 0; at < 25; at++) {
    const content = `${at} `.padEnd(at < 14 ? 100_000 : 100, 'a long memory ')
    const { body } = await test().call('write-memory', { content }, { key })
    written.push(String(body['memoryId']))
  }
  const pages: string[][] = []
  for (let after: unknown = ''; typeof after === 'string';) {
    const { body } = await test().call('export-records', { vaultId, kind: 'memory', after }, { key: dashboardToken })
    pages.push((body['records'] as { id: string }[]).map(({ id }) => id))
    after = body['next']
  }
  expect(pages.map(({ length }) => length)).toEqual([10, 15])
  expect(pages.flat()).toEqual(written)
})
