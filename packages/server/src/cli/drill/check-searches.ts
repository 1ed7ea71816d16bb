import type { z } from 'zod'
import { listUsers, userList } from '../../accounts/list-users.ts'
import type { userRecord } from '../../accounts/user.ts'
import { listMemories, memoryPage, openedMemory } from '../../search/list-memories.ts'
import { previewedSearch, previewSearch } from '../../search/preview-search.ts'
import { listVaults, vaultList } from '../../vaults/list-vaults.ts'
import type { Caller } from '../caller.ts'
import { CommandError, readAnswer } from '../exit-codes.ts'

/** Whether searches in a restored store find memories by their own words. Texts stay in this process and the two stores. */

type Call = Caller['call']

export interface Searched {
  vaults: number
  memories: number
  /** How many of these memories a search of the running server was asked for too; 0 without one. */
  compared: number
  missed: Missed[]
}

interface Missed {
  vaultId: string
  memoryId: string
}

const maxVaults = 5
/** Users whose vaults are looked at. Those of others are as good a sample. */
const maxUsers = 20
/** Places in the list of a vault's memories, and how many are taken at each. */
const places = 4
const memoriesAtPlace = 5

interface Options {
  onProgress(searched: number): void
  /** The running server of the same instance; undefined without one. */
  running: Call | undefined
}

/** `restored`: calls the restored store as its operator. */
export async function checkSearches(restored: Call, { running, onProgress }: Options): Promise<Searched> {
  const searched: Searched = { vaults: 0, memories: 0, compared: 0, missed: [] }
  for (const vault of pick(await listAllVaults(restored), maxVaults)) {
    searched.vaults++
    for (const memory of await sampleMemories(restored, vault)) {
      const isFound = await finds(restored, vault, memory)
      if (isFound === undefined) continue
      const isFoundThere = running === undefined ? undefined : await findsThere(running, vault, memory)
      searched.memories++
      if (isFoundThere !== undefined) searched.compared++
      if (!isFound && isFoundThere !== false)
        searched.missed.push({ vaultId: vault.vaultId, memoryId: memory.memoryId })
      onProgress(searched.memories)
    }
  }
  return searched
}

interface Vault {
  userId: string
  vaultId: string
}

async function listAllVaults(call: Call): Promise<Vault[]> {
  const found = new Map<string, Vault>()
  for (const { userId } of await listSomeUsers(call)) {
    const { vaults } = readAnswer(vaultList, await call(listVaults, { limit: 100 }, { actAs: userId }))
    // A shared vault is listed for each of its members.
    for (const { vaultId, memoryCount, isDamaged } of vaults)
      if (memoryCount > 0 && isDamaged !== true && !found.has(vaultId)) found.set(vaultId, { userId, vaultId })
  }
  return [...found.values()]
}

async function listSomeUsers(call: Call): Promise<z.output<typeof userRecord>[]> {
  const page = async (offset: number) => readAnswer(userList, await call(listUsers, { limit: maxUsers, offset }))
  const first = await page(0)
  const others = first.total > maxUsers ? (await page(below(first.total - maxUsers + 1))).users : first.users
  // The server doesn't act for users who are disabled.
  return others.filter(({ disabledAt }) => disabledAt === null)
}

type Memory = z.output<typeof memoryPage>['memories'][number]

async function sampleMemories(call: Call, { userId, vaultId }: Vault): Promise<Memory[]> {
  const list = async (offset: number) =>
    readAnswer(memoryPage, await call(listMemories, { vaultId, limit: memoriesAtPlace, offset }, { actAs: userId }))
  const { total } = await list(0)
  const found = new Map<string, Memory>()
  for (let place = 0; place < places; place++) {
    const { memories } = await list(below(Math.max(1, total - memoriesAtPlace + 1)))
    for (const memory of memories) found.set(memory.memoryId, memory)
  }
  return [...found.values()]
}

/** Why a memory that matches may not be in an answer: others match as well, and there are many. */
const crowded: ReadonlySet<string> = new Set(['depth', 'topK', 'diversity'])
/** The most that a search returns. */
const topK = 50

/** Undefined if the memory has no words to be found by, such as one that consists of symbols. */
async function finds(call: Call, { userId, vaultId }: Vault, { memoryId, preview }: Memory) {
  const question = { vaultId, query: preview, topK, rerank: false, explainIds: [memoryId] }
  const answer = readAnswer(previewedSearch, await call(previewSearch, question, { actAs: userId }))
  const { hits, explanation } = answer
  if (hits.some(({ id }) => id === memoryId)) return true
  const missing = explanation.asked.find(({ id }) => id === memoryId)
  if (missing !== undefined && crowded.has(missing.stage)) return true
  return explanation.words.length === 0 ? undefined : false
}

/** Undefined if the running server can't tell: it has another text since the backup, or doesn't answer. */
async function findsThere(call: Call, vault: Vault, memory: Memory): Promise<boolean | undefined> {
  const { userId, vaultId } = vault
  const { memoryId } = memory
  try {
    const answer = await call(listMemories, { vaultId, id: memoryId }, { actAs: userId })
    const { memory: now } = readAnswer(openedMemory, answer)
    if (now.updatedAt !== memory.updatedAt) return undefined
    return await finds(call, vault, memory)
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
}

/** Some of these, by chance. */
function pick<T>(all: readonly T[], count: number): T[] {
  const rest = [...all]
  const picked: T[] = []
  while (picked.length < count && rest.length > 0) picked.push(...rest.splice(below(rest.length), 1))
  return picked
}

const below = (count: number): number => Math.floor(Math.random() * count)
