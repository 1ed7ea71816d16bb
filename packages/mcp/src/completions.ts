import { HoldfastError } from '@holdfast/client'
import type { CompleteRequest } from '@modelcontextprotocol/server'
import type { Caller } from './call-tool.ts'
import { findPrompt } from './prompts.ts'
import { displayName } from './render/one-line.ts'
import { documentTypes, resourceTemplates } from './resources.ts'
import { ToolProblem } from './tool-problem.ts'
import { argumentFor, findVault, getDirectory } from './vault-directory.ts'

/** What a person can still type for an argument of a prompt or of a resource's address. */

type Params = CompleteRequest['params']

/** As the protocol allows. */
const maxValues = 100
/** Records that are read to find names. */
const looked = 50

/**
 * Suggests values that begin with what was typed, from what the key may read. A suggestion is a help, so a failure suggests nothing. Stored
 * names are shown as in answers: on one line, short, without invisible characters.
 */
export async function complete(
  { ref, argument: { name, value } }: Params,
  caller: Caller,
  signal: AbortSignal,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const source = sources[findSource(ref, name) ?? '']
  const found = source === undefined ? [] : await source(caller, { typed: value, signal }).catch(withoutFailure(signal))
  const start = value.toLowerCase()
  const fitting = [...new Set(found)].filter((one) => one !== '' && one.toLowerCase().startsWith(start))
  return { values: fitting.slice(0, maxValues), total: fitting.length, hasMore: fitting.length > maxValues }
}

function withoutFailure(signal: AbortSignal): (error: unknown) => string[] {
  return (error) => {
    if (error instanceof HoldfastError || error instanceof ToolProblem || signal.aborted) return []
    throw error
  }
}

/** The argument's name, if the prompt or the template has it. */
function findSource(ref: Params['ref'], name: string): string | undefined {
  const isKnown =
    ref.type === 'ref/prompt'
      ? findPrompt(ref.name)?.arguments?.some((argument) => argument.name === name) === true
      : resourceTemplates.some(({ uriTemplate }) => uriTemplate === ref.uri && uriTemplate.includes(`{${name}}`))
  return isKnown ? name : undefined
}

interface Typing {
  typed: string
  signal: AbortSignal
}

type Source = (caller: Caller, typing: Typing) => Promise<string[]>

const sources: Readonly<Record<string, Source>> = {
  vault: async (caller) => (await getDirectory(caller)).vaults.map(argumentFor),
  documentType: async () => [...documentTypes],
  async noteId(caller, { signal }) {
    const { notes } = await caller.client.call('list-notes', { ...(await inVault(caller)), limit: looked }, { signal })
    return notes.map(({ noteId }) => noteId)
  },
  async agent(caller, { signal }) {
    const input = { ...(await inVault(caller)), withinDays: 7, limit: looked }
    const { agents } = await caller.client.call('list-active-agents', input, { signal })
    return agents.map(({ agentId }) => displayName(agentId, 100))
  },
  topic: async (caller, typing) =>
    (await Promise.all([findEntities(caller, typing), listFolders(caller, typing), listTitles(caller, typing)]))
      .flat()
      .map((name) => displayName(name, 100)),
}

/** The entities of the memories that a search for the typed words finds. */
async function findEntities(caller: Caller, { typed, signal }: Typing): Promise<string[]> {
  if (typed.trim() === '') return []
  const input = { ...(await inVault(caller)), query: typed, topK: looked, rerank: false }
  const { memories } = await caller.client.call('search-memories', input, { signal })
  return memories.flatMap(({ entities }) => entities)
}

async function listFolders(caller: Caller, { signal }: Typing): Promise<string[]> {
  const { folders } = await caller.client.call('list-folders', await inVault(caller), { signal })
  return folders.map(({ name }) => name)
}

async function listTitles(caller: Caller, { signal }: Typing): Promise<string[]> {
  const { notes } = await caller.client.call('list-notes', { ...(await inVault(caller)), limit: looked }, { signal })
  return notes.map(({ title }) => title)
}

/** The vault of the connection. */
async function inVault(caller: Caller): Promise<{ vaultId?: string }> {
  const { vault } = await findVault(caller, caller.switches.vault, false)
  return vault === undefined ? {} : { vaultId: vault.id }
}
