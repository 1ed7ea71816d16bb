import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { Client } from './create-client.ts'
import type { Note } from './generated/operations.ts'
import { printDirectory } from './memory-directory.ts'
import { memoryFiles, parsePath, printPath, type MemoryFiles, type Path } from './memory-files.ts'

export interface MemoryToolOptions {
  /** Folder of the notes that hold the files. It is created if it doesn't exist. Default: `memories`. */
  folder?: string
}

/**
 * Handlers of Claude's memory tool (`memory_20250818`), for `betaMemoryTool`. Its files are notes: search finds them, people
 * can read them, and deleted ones go to the trash. They answer in the words of the SDK's own tool for local files, which the model
 * knows. Two occurrences of `old_str` in one line are too many, and `old_str` may span lines.
 */
export function memoryToolHandlers(
  client: Client,
  { folder = 'memories' }: MemoryToolOptions = {},
): MemoryToolHandlers {
  const files = memoryFiles(client, folder)
  return {
    view: (command) => view(files, parsePath(command.path), command.view_range),
    create: (command) => create(files, parsePath(command.path), command.file_text),
    str_replace: ({ path, old_str, new_str }) => replace(files, parsePath(path), old_str, new_str),
    insert: (command) => insert(files, parsePath(command.path), command.insert_line, command.insert_text),
    delete: (command) => remove(files, parsePath(command.path)),
    rename: (command) => rename(files, parsePath(command.old_path), parsePath(command.new_path)),
  }
}

async function view(files: MemoryFiles, path: Path, range: readonly number[] = []): Promise<string> {
  const [file] = path.length === 0 ? [] : await files.find(path)
  if (file === undefined) return viewDirectory(files, path)
  const lines = (await files.read(file)).content.split('\n')
  const [from = 1, to = -1] = range
  const shown = numberLines(lines, Math.max(1, from), to === -1 ? lines.length : to)
  return `Here's the content of ${printPath(path)} with line numbers:\n${shown}`
}

async function viewDirectory(files: MemoryFiles, path: Path): Promise<string> {
  const found = await files.list(path)
  if (found.length === 0 && path.length > 0) throw pathMissing(path)
  const sizes = await files.measure(found.map(({ file }) => file))
  const sized = found.map(({ path: at, file }) => ({
    names: at.slice(path.length),
    bytes: sizes.get(file.noteId) ?? 0,
  }))
  const header = `Here're the files and directories up to 2 levels deep in ${printPath(path)}, excluding hidden items and node_modules:`
  return [header, ...printDirectory(printPath(path), sized)].join('\n')
}

async function create(files: MemoryFiles, path: Path, content: string): Promise<string> {
  await requireFreePath(files, path)
  if (!(await files.create(path, content))) throw pathTaken(path)
  return `File created successfully at: ${printPath(path)}`
}

async function replace(files: MemoryFiles, path: Path, oldText: string, newText: string): Promise<string> {
  const note = await open(files, path)
  const parts = note.content.split(oldText)
  const [before = '', after] = parts
  if (oldText === '' || after === undefined)
    throw new Error(
      `No replacement was performed, old_str \`${oldText}\` did not appear verbatim in ${printPath(path)}.`,
    )
  if (parts.length > 2) {
    const lines = parts.slice(1).map((_, at) => countLines(parts.slice(0, at + 1).join(oldText)))
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${oldText}\` in lines: ${lines.join(', ')}. Please ensure it is unique`,
    )
  }
  const content = before + newText + after
  await files.write(note, content)
  const line = countLines(before)
  const snippet = numberLines(content.split('\n'), Math.max(1, line - 2), line + countLines(newText) + 1)
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`
}

async function insert(files: MemoryFiles, path: Path, line: number, text: string): Promise<string> {
  const note = await open(files, path)
  const lines = note.content === '' ? [] : note.content.split('\n')
  if (!(line >= 0 && line <= lines.length))
    throw new Error(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    )
  await files.write(note, lines.toSpliced(line, 0, text.replace(/\n$/, '')).join('\n'))
  return `The file ${printPath(path)} has been edited.`
}

async function remove(files: MemoryFiles, path: Path): Promise<string> {
  if (path.length === 0) throw new Error('Cannot delete the /memories directory itself')
  for (const { file } of await findFiles(files, path)) await files.remove(file)
  return `Successfully deleted ${printPath(path)}`
}

async function rename(files: MemoryFiles, from: Path, to: Path): Promise<string> {
  if (from.length === 0) throw new Error('Cannot rename the /memories directory itself')
  const isInside = from.every((name, depth) => name === to[depth])
  if (isInside) throw new Error(`Cannot rename ${printPath(from)} to ${printPath(to)}, which is inside it.`)
  const found = await findFiles(files, from)
  await requireFreePath(files, to, 'The destination')
  for (const { path, file } of found) await files.move(file, [...to, ...path.slice(from.length)])
  return `Successfully renamed ${printPath(from)} to ${printPath(to)}`
}

/** Finds the files with this path (people can give several notes the same title), or all files in this directory. */
async function findFiles(files: MemoryFiles, path: Path) {
  const same = await files.find(path)
  const found = same.length === 0 ? await files.list(path) : same.map((file) => ({ path, file }))
  if (found.length === 0) throw new Error(`The path ${printPath(path)} does not exist`)
  return found
}

async function open(files: MemoryFiles, path: Path): Promise<Note> {
  const [file] = await files.find(path)
  if (file !== undefined) return files.read(file)
  const isDirectory = path.length === 0 || (await files.list(path)).length > 0
  throw isDirectory ? new Error(`The path ${printPath(path)} is not a file.`) : pathMissing(path)
}

async function requireFreePath(files: MemoryFiles, path: Path, what = 'File'): Promise<void> {
  for (let depth = 1; depth < path.length; depth++) {
    const parent = path.slice(0, depth)
    if ((await files.find(parent)).length > 0) throw new Error(`${printPath(parent)} is a file, not a directory.`)
  }
  if (path.length === 0 || (await files.find(path)).length > 0 || (await files.list(path)).length > 0)
    throw pathTaken(path, what)
}

const pathTaken = (path: Path, what = 'File') => new Error(`${what} ${printPath(path)} already exists`)

const pathMissing = (path: Path) =>
  new Error(`The path ${printPath(path)} does not exist. Please provide a valid path.`)

const countLines = (text: string) => text.split('\n').length

const numberLines = (lines: readonly string[], from: number, to: number) =>
  lines
    .slice(from - 1, to)
    .map((line, at) => `${String(from + at).padStart(6)}\t${line}`)
    .join('\n')
