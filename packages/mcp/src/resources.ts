import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server'
import { callTool, type Caller } from './call-tool.ts'
import { largestMaxChars } from './render/compose.ts'
import { nameOf } from './render/one-line.ts'
import type { Tool } from './tool.ts'
import { readMessages } from './tools/messages.ts'
import { operationTool } from './tools/operations.ts'
import { readItems } from './tools/read.ts'
import { sessionContext } from './tools/session.ts'
import { listTasks } from './tools/tasks.ts'
import { findVault, type ChosenVault } from './vault-directory.ts'

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
  const name = nameOf(vault.name)
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

const vaultOf = async (caller: Caller) => (await findVault(caller, caller.switches.vault, false)).vault

async function listNotes({ client }: Caller, { id }: ChosenVault, signal: AbortSignal): Promise<Resource[]> {
  try {
    const { notes } = await client.call('list-notes', { vaultId: id, limit: latestNotes }, { signal })
    return notes.map(({ noteId, title }) => ({
      uri: `holdfast://note/${noteId}`,
      name: nameOf(title, 100),
      title: nameOf(title, 100),
      ...markdown,
    }))
  } catch {
    return []
  }
}

const readDocument = operationTool('read-document')

interface Reading {
  tool: Tool
  args: Readonly<Record<string, unknown>>
}

/** Undefined for an address of nothing. */
export async function readResource(uri: string, caller: Caller, signal: AbortSignal): Promise<string | undefined> {
  const reading = readingOf(uri)
  if (reading === undefined) return undefined
  const { text, isError, data } = await callTool(reading.tool, reading.args, caller, signal)
  if (isError && /^(NOT_FOUND|VALIDATION)/.test(text)) return undefined
  if (isError) throw new ProtocolError(ProtocolErrorCode.InternalError, text)
  const { items } = (data ?? {}) as { items?: unknown[] }
  return items?.length === 0 ? undefined : text
}

function readingOf(uri: string): Reading | undefined {
  const [kind, ...parts] = pathOf(uri)
  const [first, second] = parts
  if (kind === 'inbox' && parts.length === 0) return { tool: readMessages, args: {} }
  if (first === undefined) return undefined
  if (kind === 'context' && parts.length === 1) return { tool: sessionContext, args: { vault: first } }
  if (kind === 'tasks' && parts.length === 1) return { tool: listTasks, args: { vault: first, limit: 100 } }
  if (kind === 'document' && parts.length === 2)
    return { tool: readDocument, args: { vaultId: first, documentType: second, maxChars: largestMaxChars } }
  if ((kind === 'note' || kind === 'memory') && parts.length === 1)
    return { tool: readItems, args: { ids: [`${kind}:${first}`], maxChars: largestMaxChars } }
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
