// Many clients that write as fast as they can until the server dies, and a record of what it acknowledged.

import { expect } from 'vitest'
import { readAll, searchFor, wordFor, type Agent } from './agent.ts'
import { query } from './raw-store.ts'
import type { FreshStore } from '../dialects.ts'

interface SentWrite {
  externalWriteId: string
  word: string
  content: string
  relatedTo: string | undefined
  /** Undefined until a complete answer arrives: the write may have happened or not. */
  memoryId: string | undefined
}

/** In the order in which they were sent. A write's number is its index. */
export type Storm = SentWrite[]

/**
 * Settles once every client has lost its server. A 503 promises nothing: on a busy machine, connecting to PostgreSQL can take too long.
 * Any other answer except 201 fails the test.
 */
export async function writeWithClients(storm: Storm, agent: Agent, clients: number): Promise<void> {
  await Promise.all(Array.from({ length: clients }, () => writeUntilLost(storm, agent)))
}

async function writeUntilLost(storm: Storm, agent: Agent): Promise<void> {
  for (;;) {
    const write = nextWrite(storm)
    storm.push(write)
    const reply = await agent('write-memory', bodyOf(write)).catch(() => undefined)
    if (reply === undefined) return
    if (reply.status === 503) continue
    expect(reply).toMatchObject({ status: 201, body: { created: true, idempotent: false } })
    write.memoryId = reply.body['memoryId'] as string
  }
}

function nextWrite(storm: Storm): SentWrite {
  const number = storm.length
  const word = wordFor(number)
  const answered = storm.findLast((write) => write.memoryId !== undefined)
  return {
    externalWriteId: `write ${number}`,
    word,
    content: `${word} stands in write ${number}. ${'It is as long as notes tend to be. '.repeat(number % 40)}`,
    // Links are part of what must be complete or absent.
    relatedTo: number % 3 === 0 ? answered?.memoryId : undefined,
    memoryId: undefined,
  }
}

const bodyOf = ({ content, externalWriteId, relatedTo }: SentWrite) => ({
  content,
  externalWriteId,
  ...(relatedTo !== undefined && { relatedMemoryIds: [relatedTo] }),
})

/** Everything acknowledged exists, once and exactly. Everything else is complete or absent, and can be sent again. */
export async function checkPromises(storm: Storm, agent: Agent, since = 0): Promise<void> {
  const recent = storm.slice(since)
  await checkContents(storm, agent)
  for (const write of recent) {
    const { status, body } = await agent('write-memory', bodyOf(write))
    if (write.memoryId !== undefined)
      expect([write.externalWriteId, status, body['memoryId']]).toEqual([write.externalWriteId, 200, write.memoryId])
    expect([200, 201]).toContain(status)
    write.memoryId = body['memoryId'] as string
  }
  await checkContents(recent, agent)
  for (const { word, memoryId } of recent)
    expect([word, ...(await searchFor(agent, word)).map((hit) => hit.memoryId)]).toContain(memoryId)
}

async function checkContents(writes: SentWrite[], agent: Agent): Promise<void> {
  const promised = new Map(writes.flatMap((write) => (write.memoryId === undefined ? [] : [[write.memoryId, write]])))
  const { memories, notFound } = await readAll(agent, [...promised.keys()])
  expect(notFound).toEqual([])
  for (const { memoryId, content, relatedMemories } of memories) {
    const write = promised.get(memoryId)
    expect(content).toBe(write?.content)
    expect(relatedMemories.map((related) => related.memoryId)).toEqual(write?.relatedTo ? [write.relatedTo] : [])
  }
}

/** Rows, index entries and links belong together, and the changes of the vault are numbered without a gap. */
export async function checkRows(store: FreshStore, vaultId: string): Promise<void> {
  const count = async (sql: string) => Number((await query(store, `select count(*) as n from ${sql}`))[0]?.['n'])
  expect(await count(`"memories" m left join "indexEntries" e on e."itemId" = m."id" where e."itemId" is null`)).toBe(0)
  expect(await count(`"indexEntries" e left join "memories" m on e."itemId" = m."id" where m."id" is null`)).toBe(0)
  for (const end of ['sourceId', 'targetId'])
    expect(await count(`"links" l left join "memories" m on l."${end}" = m."id" where m."id" is null`)).toBe(0)
  const [vault] = await query(store, `select "seq" from "vaults" where "id" = '${vaultId}'`)
  const entries = await query(store, `select "seq" from "indexEntries" where "vaultId" = '${vaultId}' order by "seq"`)
  expect(entries.map(({ seq }) => Number(seq))).toEqual(
    Array.from({ length: Number(vault?.['seq']) }, (_, at) => at + 1),
  )
  if (store.kind === 'sqlite') expect(await query(store, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
}
