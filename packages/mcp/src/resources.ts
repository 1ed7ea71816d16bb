import { printName } from '@holdfast/client'
import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server'
import { callTool, type Caller } from './call-tool.ts'
import { largestMaxChars } from './render/compose.ts'
import { displayName } from './render/one-line.ts'
import type { Tool } from './tool.ts'
import { readMessages } from './tools/messages.ts'
import { operationTool } from './tools/operations.ts'
import { readItems } from './tools/read.ts'
import { sessionContext } from './tools/session.ts'
import { listTasks } from './tools/tasks.ts'
import { findVault, type ChosenVault } from './vault-directory.ts'

/** Resources that a person can attach to a conversation. Each is the answer of a tool under a URI. */

export const documentTypes = ['soul', 'instructions', 'skills', 'checks'] as const
const latestNotes = 20
const markdown = { mimeType: 'text/markdown' } as const

export const resourceTemplates = [
  template('context/{vault}', 'Session context', 'What an agent should know about a vault, as in session_start.'),
  template('tasks/{vault}', 'Open tasks', 'The tasks of a vault that are not done.'),
  template('document/{vault}/{documentType}', 'Document', 'The soul, instructions, skills or checks of a vault.'),
  template('note/{noteId}', 'Note', 'A note of the vault, in full.'),
  template('memory/{memoryId}', 'Memory', 'A memory of the vault, in full.'),
]

function template(path: string, title: string, description: string) {
  const name = path.split('/')[0] ?? path
  return { uriTemplate: `holdfast://${path}`, name, title, description, ...markdown }
}

/** Lists the resources of the connection's vault. Only the inbox if there is no vault or the server is down. */
export async function listResources(caller: Caller, signal: AbortSignal): Promise<Resource[]> {
  const inbox = { uri: 'holdfast://inbox', name: 'inbox', title: 'Messages to acknowledge', ...markdown }
  const vault = await getVault(caller).catch(() => undefined)
  if (vault === undefined) return [inbox]
  const at = encodeURIComponent(vault.id)
  const name = printName(displayName(vault.name))
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

const getVault = async (caller: Caller) => (await findVault(caller, caller.switches.vault, false)).vault

async function listNotes({ client }: Caller, { id }: ChosenVault, signal: AbortSignal): Promise<Resource[]> {
  try {
    const { notes } = await client.call('list-notes', { vaultId: id, limit: latestNotes }, { signal })
    return notes.map(({ noteId, title }) => ({
      uri: `holdfast://note/${noteId}`,
      name: displayName(title, 100),
      title: displayName(title, 100),
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

/** Returns undefined if the URI leads to nothing. */
export async function readResource(uri: string, caller: Caller, signal: AbortSignal): Promise<string | undefined> {
  const reading = parseUri(uri)
  if (reading === undefined) return undefined
  const { text, isError, data } = await callTool(reading.tool, reading.args, caller, signal)
  if (isError && /^(NOT_FOUND|VALIDATION)/.test(text)) return undefined
  if (isError) throw new ProtocolError(ProtocolErrorCode.InternalError, text)
  const { items } = (data ?? {}) as { items?: unknown[] }
  return items?.length === 0 ? undefined : text
}

function parseUri(uri: string): Reading | undefined {
  const [kind, ...parts] = splitPath(uri)
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

/** Empty if it is no URI of ours. */
export function splitPath(uri: string): string[] {
  const path = uri.startsWith('holdfast://') ? uri.slice('holdfast://'.length) : ''
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return []
  }
}
