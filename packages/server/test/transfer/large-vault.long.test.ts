import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { importPath, makeFolder } from './passing.ts'

const noteCount = 10_000
const perFolder = 100

/** About 1,500 characters with headings, tags and links, as people write. */
const textOf = (at: number): string =>
  [
    `---\ntags: [topic${at % 50}, year${at % 9}]\n---`,
    `# Note ${at}`,
    `See [[Note ${(at * 7) % noteCount}]], [[Note ${(at * 13 + 1) % noteCount}|another]] and [[Missing ${at % 100}]].`,
    ...Array.from(
      { length: 12 },
      (_, line) =>
        `Line ${line} of ${at}: word${(at * 31 + line * 17) % 9973} meets word${(at + line * 101) % 7919} beside the ${['river', 'office', 'garden', 'harbour'][(at + line) % 4] ?? ''}, on day ${(at + line) % 365}.`,
    ),
  ].join('\n\n')

it('imports a vault of 10,000 notes within a minute, with the built-in model', { timeout: 600_000 }, async () => {
  const test = await startTestApp({ config: { embeddings: { provider: 'static' } }, runsJobs: false })
  const user = await makeUserWithAgent(test)
  const folder = await makeFolder()
  for (let at = 0; at < noteCount; at++) {
    const inFolder = join(folder, `Folder ${Math.floor(at / perFolder)}`)
    if (at % perFolder === 0) await mkdir(inFolder)
    await writeFile(join(inFolder, `Note ${at}.md`), textOf(at))
  }
  const report = await importPath({ test, ...user }, folder)
  expect(report.counts.note).toEqual({ created: noteCount, restored: 0, existing: 0, left: 0, failed: 0 })
  console.info(`${noteCount} notes in ${(report.durationMs / 1000).toFixed(1)} s`)
  expect(report.durationMs).toBeLessThan(60_000)
})
