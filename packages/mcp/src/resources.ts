import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server'
import { callTool, type Caller } from './call-tool.ts'
import { inferRun } from './connections.ts'
import { findTool } from './list-tools.ts'
import { largestMaxChars } from './render/compose.ts'
import { oneLine } from './render/one-line.ts'
import { chooseVault, directoryOf, type ChosenVault } from './vault-directory.ts'

/** What a person can attach to a conversation. Each is what a tool answers, under an address. */

const documentTypes = ['soul', 'instructions', 'skills', 'checks'] as const
const latestNotes = 20
const markdown = { mimeType: 'text/markdown' } as const

export const resourceTemplates = [
  template('context/{vault}', 'Session context', 'What an agent should know of a vault, as session_start tells it.'),
  template('tasks/{vault}', 'Open tasks', 'The tasks of a vault that are not done.'),
  template('document/{vault}/{documentType}', 'Document', 'soul, instructions, skills or checks of a vault.'),
  template('note/{noteId}', 'Note', 'A note of the vault, whole.'),
  template('memory/{memoryId}', 'Memory', 'A memory of the vault, whole.'),
]

function template(path: string, title: string, description: string) {
  const name = path.split('/')[0] ?? path
  return { uriTemplate: `holdfast://${path}`, name, title, description, ...markdown }
}

/** Of the connection's vault; nothing but the inbox where there is none or the service is away. */
export async function listResources(caller: Caller, signal: AbortSignal): Promise<Resource[]> {
  const inbox = { uri: 'holdfast://inbox', name: 'inbox', title: 'Messages to acknowledge', ...markdown }
  const vault = await vaultOf(caller).catch(() => undefined)
  if (vault === undefined) return [inbox]
  const at = encodeURIComponent(vault.id)
  const name = oneLine(vault.name, 100)
  return [
    { uri: `holdfast://context/${at}`, name: 'context', title: `Session context of ${name}`, ...markdown },
    inbox,
    { uri: `holdfast://tasks/${at}`, name: 'tasks', title: `Open tasks of ${name}`, ...markdown },
    ...documentTypes.map((type) => ({
      uri: `holdfast://document/${at}/${type}`,
      name: type,
      title: `Document ${type} of ${name}`,
      ...markdown,
    })),
    ...(await listNotes(caller, vault, signal)),
  ]
}

async function vaultOf({ connection, client, switches, now }: Caller): Promise<ChosenVault | undefined> {
  return chooseVault(await directoryOf(connection, client, now()), switches.vault)
}

async function listNotes({ client }: Caller, { id }: ChosenVault, signal: AbortSignal): Promise<Resource[]> {
  try {
    const { notes } = await client.call('list-notes', { vaultId: id, limit: latestNotes }, { signal })
    return notes.map(({ noteId, title }) => ({
      uri: `holdfast://note/${noteId}`,
      name: oneLine(title, 100),
      title: oneLine(title, 100),
      ...markdown,
    }))
  } catch {
    return []
  }
}

interface Reading {
  tool: string
  args: Readonly<Record<string, unknown>>
}

/** Undefined for an address of nothing. */
export async function readResource(uri: string, caller: Caller, signal: AbortSignal): Promise<string | undefined> {
  const reading = readingOf(uri, caller)
  const tool = reading && findTool(reading.tool, caller.switches)
  if (reading === undefined || tool === undefined) return undefined
  const { text, isError, data } = await callTool(tool, reading.args, caller, signal)
  if (isError && /^(NOT_FOUND|VALIDATION)/.test(text)) return undefined
  if (isError) throw new ProtocolError(ProtocolErrorCode.InternalError, text)
  const { items } = (data ?? {}) as { items?: unknown[] }
  return items?.length === 0 ? undefined : text
}

function readingOf(uri: string, { connection, run, now }: Caller): Reading | undefined {
  const [kind, ...parts] = pathOf(uri)
  const [first, second] = parts
  if (kind === 'inbox' && parts.length === 0) return { tool: 'read_messages', args: {} }
  if (first === undefined) return undefined
  // Looking at the context begins no session of its own.
  if (kind === 'context' && parts.length === 1)
    return { tool: 'session_start', args: { vault: first, run: run ?? inferRun(connection, now()) } }
  if (kind === 'tasks' && parts.length === 1) return { tool: 'list_tasks', args: { vault: first, limit: 100 } }
  if (kind === 'document' && parts.length === 2)
    return { tool: 'read_document', args: { vaultId: first, documentType: second } }
  if ((kind === 'note' || kind === 'memory') && parts.length === 1)
    return { tool: 'read_items', args: { ids: [`${kind}:${first}`], maxChars: largestMaxChars } }
  return undefined
}

function pathOf(uri: string): string[] {
  const path = uri.startsWith('holdfast://') ? uri.slice('holdfast://'.length) : ''
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return []
  }
}
