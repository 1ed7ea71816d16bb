import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** One message of a session, from the host's transcript. */
export interface Entry {
  role: 'user' | 'assistant'
  text: string
  /** The host's id, or the position in the file. */
  id: string
}

export interface Transcript {
  entries: Entry[]
  /** Paths that tools wrote to, as given. */
  files: string[]
}

type Fields = Readonly<Record<string, unknown>>

/** Reads the end of a transcript (JSON lines). Skips unknown lines; empty if there is no transcript. */
export function readTranscript(path: string | undefined, maxBytes: number): Transcript {
  const tail = path === undefined ? undefined : readTail(path, maxBytes)
  if (tail === undefined) return { entries: [], files: [] }
  const found: Transcript = { entries: [], files: [] }
  let at = tail.from
  for (const line of tail.text.split('\n')) {
    const fields = parseLine(line)
    if (fields !== undefined) readLine(fields, `byte-${at}`, found)
    at += Buffer.byteLength(line) + 1
  }
  return { entries: found.entries, files: [...new Set(found.files)] }
}

/** Reads the last bytes, from the first whole line, because transcripts grow to hundreds of megabytes. */
function readTail(path: string, maxBytes: number): { text: string; from: number } | undefined {
  let file: number | undefined
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer, and no timeout ends that. Windows has no such flag.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const { size } = fstatSync(file)
    const from = Math.max(0, size - maxBytes)
    const bytes = Buffer.alloc(Math.min(size, maxBytes))
    const read = readSync(file, bytes, 0, bytes.length, from)
    const start = from === 0 ? 0 : bytes.indexOf(10) + 1
    return { text: bytes.subarray(start, read).toString('utf8'), from: from + start }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function parseLine(line: string): Fields | undefined {
  try {
    return asFields(JSON.parse(line))
  } catch {
    return undefined
  }
}

function readLine(line: Fields, place: string, found: Transcript): void {
  // Messages of sub-agents and of the host are not turns of this conversation.
  if (line['isSidechain'] === true || line['isMeta'] === true || line['isCompactSummary'] === true) return
  const payload = asFields(line['payload'])
  const message = asFields(line['message']) ?? (payload?.['type'] === 'message' ? payload : undefined)
  if (payload !== undefined && message === undefined) return readCodexCall(payload, found)
  const role = message?.['role']
  if (message === undefined || (role !== 'user' && role !== 'assistant')) return
  const blocks = listBlocks(message['content'])
  for (const block of blocks) if (block['type'] === 'tool_use') found.files.push(...listWrittenFiles(block['input']))
  const text = blocks.map(getText).join('\n').trim()
  if (text === '' || isHostText(text)) return
  found.entries.push({ role, text, id: asId(line['uuid']) ?? place })
}

function listBlocks(content: unknown): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const blocks: unknown[] = Array.isArray(content) ? content : []
  return blocks.map(asFields).filter((block) => block !== undefined)
}

const textTypes = new Set(['text', 'input_text', 'output_text'])
const getText = ({ type, text }: Fields) =>
  typeof type === 'string' && textTypes.has(type) && typeof text === 'string' ? text : ''

// Commands of the host, and what it adds to the user's prompt.
const isHostText = (text: string) =>
  /^<(?:command-(?:name|message|args)|local-command-|system-reminder|environment_context|user_instructions|permissions|turn_aborted|task-notification)|^# AGENTS\.md instructions/.test(
    text,
  )

function readCodexCall(payload: Fields, found: Transcript): void {
  const call = payload['type'] === 'custom_tool_call' ? payload['input'] : payload['arguments']
  if (typeof call !== 'string') return
  const named = call.slice(0, 100_000).matchAll(/\*\*\* (?:Add|Update) File: ([^\r\n"\\]{1,300})/g)
  found.files.push(...[...named].map(([, file = '']) => file.trim()))
}

function listWrittenFiles(input: unknown): string[] {
  const fields = asFields(input)
  // Files that were only read say little about the work.
  const isWrite =
    fields !== undefined && ['content', 'new_string', 'edits', 'new_source'].some((name) => name in fields)
  const path = fields?.['file_path'] ?? fields?.['notebook_path']
  return isWrite && typeof path === 'string' ? [path.slice(0, 300)] : []
}

const asFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined

const asId = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,100}$/.test(value) ? value : undefined)
