import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/crypto/hash.ts'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { importPath, makeFolder, type Holder } from './passing.ts'

const test = useTestApp()
const makeHolder = async (): Promise<Holder> => ({ test: test(), ...(await makeUserWithAgent(test())) })

async function exportWith(files: Record<string, string>, manifest: object = {}): Promise<string> {
  const folder = await makeFolder()
  const sums = Object.entries(files).map(([path, text]) => [path, sha256(text).toString('hex')])
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  const whole = { format: 'holdfast-export', schemaVersion: 1, files: Object.fromEntries(sums), ...manifest }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(whole))
  return folder
}

describe('an export with errors', () => {
  it('loses only the invalid lines', async () => {
    const lines = [
      '{"kind":"memory","content":"The boiler is serviced in May."}',
      '{"kind":"memory"}',
      'null',
      '{broken',
      '{"kind":"note","title":"Elsewhere"}',
      '{"kind":"memory","content":7}',
      `{"kind":"memory","content":"deep","metadata":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      '{"kind":"memory","content":"The bins go out on Tuesdays."}',
    ]
    const folder = await exportWith({ 'memories.jsonl': lines.join('\n'), 'links.jsonl': '{"kind":"link"}\n' })
    const { counts, problems } = await importPath(await makeHolder(), folder)
    expect(counts).toEqual({
      memory: { created: 2, restored: 0, existing: 0, left: 0, failed: 6 },
      link: { created: 0, restored: 0, existing: 0, left: 0, failed: 1 },
    })
    expect(problems.map(({ name }) => name)).toContain('memories.jsonl, line 4')
    expect(problems.find(({ name }) => name === 'deep')?.reason).toBe('has more than 100 levels of nesting')
  })

  it('is rejected without a valid manifest', async () => {
    const holder = await makeHolder()
    const wrong: [object, RegExp][] = [
      [{ files: undefined }, /manifest.json is invalid/],
      [{ files: { 'a.md': 7 } }, /manifest.json is invalid/],
      [{ schemaVersion: undefined }, /manifest.json is invalid/],
      [{ schemaVersion: 2 }, /newer version/],
    ]
    for (const [manifest, message] of wrong)
      await expect(importPath(holder, await exportWith({}, manifest))).rejects.toThrow(message)
  })

  it('is read without files that its manifest does not name', async () => {
    const folder = await exportWith({ 'memories.jsonl': '{"kind":"memory","content":"One of ours."}' })
    await writeFile(join(folder, 'tasks.jsonl'), '{"kind":"memory","content":"Put there later."}')
    const { counts, notices } = await importPath(await makeHolder(), folder)
    expect(counts).toMatchObject({ memory: { created: 1, failed: 0 } })
    expect(notices).toMatchObject([{ count: 1, examples: ['tasks.jsonl'] }])
  })
})
