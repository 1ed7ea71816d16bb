import type { Client } from './create-client.ts'
import { ConflictError } from './errors.ts'
import type { Note, NoteOutline } from './generated/operations.ts'
import { createFirst, listNotes } from './list-notes.ts'
import { tagOf } from './tag-of.ts'

/**
 * Notes under a folder as files under `/memories`: `/memories/a/b.md` is the note `b.md` in the folder `a` of that folder.
 * A directory is there as long as a file is in it, however deep, and its name is that of a folder: letter case tells no two apart.
 */
export interface MemoryFiles {
  /** The newest first: people can give a note the title of another one. */
  find(path: Path): Promise<NoteOutline[]>
  read(file: NoteOutline): Promise<Note>
  /** The files in a directory and those below it, by path; none where it does not exist. */
  list(directory: Path): Promise<{ path: Path; file: NoteOutline }[]>
  /** False where somebody else has created the file at the same moment. */
  create(path: Path, content: string): Promise<boolean>
  /** Throws where somebody has changed the note since it was read. */
  write(note: Note, content: string): Promise<void>
  move(file: NoteOutline, path: Path): Promise<void>
  remove(file: NoteOutline): Promise<void>
}

/** The names below `/memories`. */
export type Path = readonly string[]

const root = '/memories'

/** Refuses whatever could name something outside of `/memories`, or a folder of another name, however it is written. */
export function parsePath(path: string): Path {
  const names = path.replace(/\/$/, '').split('/').slice(1)
  const isInside = path === root || path.startsWith(`${root}/`)
  // White space around the name of a folder falls, and with it a name of nothing else.
  // eslint-disable-next-line no-control-regex -- no name holds any
  const isBad = (name: string) => /^\.{0,2}$|^\s|\s$|[\\\u0000-\u001f]|%(2e|2f|5c|00)/i.test(name)
  if (!isInside || names.some(isBad)) throw new Error(`Path must lie in ${root} and hold plain names, got: ${path}`)
  return names.slice(1)
}

export const printPath = (path: Path) => [root, ...path].join('/')

export function memoryFiles(client: Client, folder: string): MemoryFiles {
  const above = folderNames(folder)
  const folderOf = (directory: Path) => [...above, ...directory].join('/')
  const placeOf = (path: Path) => ({ folderPath: folderOf(path.slice(0, -1)), title: path.at(-1) ?? '' })

  return {
    async find(path) {
      const { folderPath, title } = placeOf(path)
      const files = await listNotes(client, { folderPath, recursive: false })
      return files.filter((file) => file.title === title)
    },
    read: async ({ noteId }) => (await client.notes.read({ noteId })).note,
    async list(directory) {
      const files = await listNotes(client, { folderPath: folderOf(directory) })
      const depth = above.length + directory.length
      const below = (folderPath: string | null) => (folderPath ?? '').split('/').slice(depth)
      // Under the name by which the directory was asked for.
      const found = files.map((file) => ({ path: [...directory, ...below(file.folderPath), file.title], file }))
      return found.toSorted((a, b) => (printPath(a.path) < printPath(b.path) ? -1 : 1))
    },
    async create(path, content) {
      const tag = await tagOf('file', ...above, ...path)
      const { created, noteId } = await createFirst(client, tag, { ...placeOf(path), content })
      if (created) return true
      // That of this very call, where the answer to its first attempt was lost.
      const { note } = await client.notes.read({ noteId })
      return note.status === 'active' && note.content === content
    },
    async write({ noteId, version, title }, content) {
      const change = client.notes.update({ noteId, content, expectedVersion: version })
      await change.catch((error: unknown) => {
        throw error instanceof ConflictError ? new Error(`${title} was changed meanwhile. View it again.`) : error
      })
    },
    async move({ noteId, title }, path) {
      const to = placeOf(path)
      await client.notes.move({ noteId, folderPath: to.folderPath })
      if (to.title !== title) await client.notes.update({ noteId, title: to.title })
    },
    async remove({ noteId }) {
      await client.notes.delete({ noteId })
    },
  }
}

/** As the service reads a path. */
function folderNames(path: string): string[] {
  const names = path.split('/').flatMap((name) => name.trim() || [])
  if (names.length === 0) throw new TypeError('folder: must name one')
  return names
}
