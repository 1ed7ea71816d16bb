import type { Client } from './create-client.ts'
import { ConflictError } from './errors.ts'
import type { Note, NoteOutline } from './generated/operations.ts'
import { listNotes } from './list-notes.ts'

/**
 * Notes under a folder as files under `/memories`: `/memories/a/b.md` is the note `b.md` in the folder `a` of that folder.
 * A directory is there as long as a file is in it, however deep.
 */
export interface MemoryFiles {
  find(path: Path): Promise<NoteOutline | undefined>
  read(file: NoteOutline): Promise<Note>
  /** The files in a directory and those below it, by path; none where it does not exist. */
  list(directory: Path): Promise<{ path: Path; file: NoteOutline }[]>
  create(path: Path, content: string): Promise<void>
  /** Throws where somebody has changed the note since it was read. */
  write(note: Note, content: string): Promise<void>
  move(file: NoteOutline, path: Path): Promise<void>
  remove(file: NoteOutline): Promise<void>
}

/** The names below `/memories`. */
export type Path = readonly string[]

const root = '/memories'

/** Refuses whatever could name something outside of `/memories`, however it is written. */
export function parsePath(path: string): Path {
  const names = path.replace(/\/$/, '').split('/').slice(1)
  const isInside = path === root || path.startsWith(`${root}/`)
  // eslint-disable-next-line no-control-regex -- no name holds any
  const isBad = (name: string) => /^\.{0,2}$|[\\\u0000-\u001f]|%(2e|2f|5c|00)/i.test(name)
  if (!isInside || names.some(isBad)) throw new Error(`Path must lie in ${root}, got: ${path}`)
  return names.slice(1)
}

export const printPath = (path: Path) => [root, ...path].join('/')

export function memoryFiles(client: Client, folder: string): MemoryFiles {
  const folderOf = (path: Path) => [folder, ...path.slice(0, -1)].join('/')

  return {
    async find(path) {
      for (const file of await listNotes(client, { folderPath: folderOf(path), recursive: false }))
        if (file.title === path.at(-1)) return file
      return undefined
    },
    read: async ({ noteId }) => (await client.notes.read({ noteId })).note,
    async list(directory) {
      const files = await listNotes(client, { folderPath: [folder, ...directory].join('/') })
      const depth = folder.split('/').length
      const pathOf = ({ folderPath, title }: NoteOutline) => [...(folderPath ?? '').split('/').slice(depth), title]
      const found = files.map((file) => ({ path: pathOf(file), file }))
      return found.toSorted((a, b) => (printPath(a.path) < printPath(b.path) ? -1 : 1))
    },
    async create(path, content) {
      await client.notes.create({ title: path.at(-1) ?? '', folderPath: folderOf(path), content })
    },
    async write({ noteId, version, title }, content) {
      const change = client.notes.update({ noteId, content, expectedVersion: version })
      await change.catch((error: unknown) => {
        throw error instanceof ConflictError ? new Error(`${title} was changed meanwhile. View it again.`) : error
      })
    },
    async move({ noteId, title }, path) {
      await client.notes.move({ noteId, folderPath: folderOf(path) })
      const name = path.at(-1)
      if (name !== title) await client.notes.update({ noteId, title: name })
    },
    async remove({ noteId }) {
      await client.notes.delete({ noteId })
    },
  }
}
