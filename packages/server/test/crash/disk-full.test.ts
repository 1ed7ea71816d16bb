import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentOf, readAll, searchFor, wordFor, type Agent, type Reply } from './agent.ts'
import { checkRows } from './write-storm.ts'
import { setUp, siteFor, startServer, tempDir } from './server-process.ts'

/** Mounts a separate disk over the folder, or returns the reason if this machine does not allow it. */
function mountSmallDisk(dir: string, megabytes: number): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'mount failed'
  }
}

const unmount = (dir: string) => execFileSync('umount', ['-l', dir])

function reasonToSkip(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has tmpfs'
  return process.getuid?.() === 0 ? undefined : 'only root may mount a small disk'
}

// Without permission to mount a disk there is none to fill. The name of the block, or of the skipped test, says so.
const skipped = reasonToSkip()
const text = 'Words that take space on a disk that has little of it. '.repeat(200)

interface Kept {
  memoryId: string
  word: string
  content: string
}

async function write(agent: Agent, kept: Kept[], number: number): Promise<Reply> {
  const word = wordFor(number)
  const content = `${word} ${text}`
  const reply = await agent('write-memory', { content, externalWriteId: String(number) })
  if (reply.status === 201) kept.push({ memoryId: reply.body['memoryId'] as string, word, content })
  return reply
}

async function checkKept(agent: Agent, kept: Kept[]): Promise<void> {
  const { memories, notFound } = await readAll(
    agent,
    kept.map(({ memoryId }) => memoryId),
  )
  expect(notFound).toEqual([])
  const contents = new Map(memories.map(({ memoryId, content }) => [memoryId, content]))
  for (const { memoryId, content } of kept) expect(contents.get(memoryId)).toBe(content)
  for (const { word, memoryId } of kept.slice(-20))
    expect((await searchFor(agent, word)).map((hit) => hit.memoryId)).toContain(memoryId)
}

describe.skipIf(skipped !== undefined)(`a full disk${skipped === undefined ? '' : ` (skipped: ${skipped})`}`, () => {
  it('rejects writes with a clear error, still reads and searches, loses nothing and recovers by itself', async (test) => {
    const dataDir = tempDir()
    const refusal = mountSmallDisk(dataDir, 8)
    if (refusal !== undefined) test.skip(refusal)
    onTestFinished(() => void unmount(dataDir))
    const site = siteFor({ kind: 'sqlite', dir: dataDir })
    const { agentKey, vaultId } = await setUp(site)
    const ballast = join(dataDir, 'ballast')
    const server = await startServer(site)
    const agent = agentOf(server, agentKey)
    const kept: Kept[] = []
    for (let number = 0; number < 40; number++) expect((await write(agent, kept, number)).status).toBe(201)
    const { bavail, bsize } = statfsSync(dataDir)
    writeFileSync(ballast, Buffer.alloc((bavail - 40) * bsize))

    const crowded = await Promise.all(Array.from({ length: 60 }, (_, at) => write(agent, kept, 100 + at)))
    for (const reply of [...crowded, await write(agent, kept, 200)].filter(({ status }) => status !== 201)) {
      expect(reply).toMatchObject({ status: 503, body: { error: 'Temporarily unavailable: the disk is full' } })
      expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0)
    }
    expect((await write(agent, kept, 300)).status).toBe(503)
    await checkKept(agent, kept)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)

    rmSync(ballast)
    for (let number = 300; number < 340; number++) expect((await write(agent, kept, number)).status).toBe(201)
    await checkKept(agent, kept)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    await checkRows(site.store, vaultId)
  })

  it('does not prevent a clean stop', async (test) => {
    const dataDir = tempDir()
    const refusal = mountSmallDisk(dataDir, 4)
    if (refusal !== undefined) test.skip(refusal)
    onTestFinished(() => void unmount(dataDir))
    const site = siteFor({ kind: 'sqlite', dir: dataDir })
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    const agent = agentOf(server, agentKey)
    const kept: Kept[] = []
    for (let number = 0; (await write(agent, kept, number)).status === 201; number++);
    await checkKept(agent, kept)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
