import type { Client } from './create-client.ts'
import { ConflictError } from './errors.ts'
import type { Note, NoteOutline } from './generated/operations.ts'
import { createFirst, listNotes, readNotes } from './list-notes.ts'
import { hashTag } from './hash-tag.ts'
import { refuseProposal } from './refuse-proposal.ts'

/**
 * Notes in a folder as files under `/memories`: `/memories/a/b.md` is the note `b.md` in the subfolder `a`. A directory exists as
 * long as it contains a file at any depth. Names of directories are names of folders, so they ignore case.
 */
export interface MemoryFiles {
  /** Newest first, because several notes can have the same title. */
  find(path: Path): Promise<NoteOutline[]>
  read(file: NoteOutline): Promise<Note>
  /** Lists the files in a directory and its subdirectories, by path. Empty if it does not exist. */
  list(directory: Path): Promise<{ path: Path; file: NoteOutline }[]>
  /** Returns how many bytes each of these files has, by id of its note. Reads them all. */
  measure(files: readonly NoteOutline[]): Promise<Map<string, number>>
  /** Returns false if someone else created the file at the same time. */
  create(path: Path, content: string): Promise<boolean>
  /** Throws if someone has changed the note since it was read. */
  write(note: Note, content: string): Promise<void>
  move(file: NoteOutline, path: Path): Promise<void>
  remove(file: NoteOutline): Promise<void>
}

/** The names below `/memories`. */
export type Path = readonly string[]

const root = '/memories'

/** A file can have 500,000 characters. */
const readAtOnce = 20

/** Rejects every path that could lead outside `/memories`, or to a folder with a different name. */
export function parsePath(path: string): Path {
  const names = path.replace(/\/$/, '').split('/').slice(1)
  const isInside = path === root || path.startsWith(`${root}/`)
  // The server trims folder names, so white space around a name would change it.
  // eslint-disable-next-line no-control-regex -- names contain none
  const isBad = (name: string) => /^\.{0,2}$|^\s|\s$|[\\\u0000-\u001f]|%(2e|2f|5c|00)/i.test(name)
  if (!isInside || names.some(isBad)) throw new Error(`Path must be in ${root} and have plain names, got: ${path}`)
  return names.slice(1)
}

export const printPath = (path: Path) => [root, ...path].join('/')

export function memoryFiles(client: Client, folder: string): MemoryFiles {
  const above = folderNames(folder)
  const toFolderPath = (directory: Path) => [...above, ...directory].join('/')
  const toPlace = (path: Path) => ({ folderPath: toFolderPath(path.slice(0, -1)), title: path.at(-1) ?? '' })

  return {
    async find(path) {
      const { folderPath, title } = toPlace(path)
      const files = await listNotes(client, { folderPath, recursive: false })
      return files.filter((file) => file.title === title)
    },
    read: async ({ noteId }) => (await client.notes.read({ noteId })).note,
    async list(directory) {
      const files = await listNotes(client, { folderPath: toFolderPath(directory) })
      const depth = above.length + directory.length
      const below = (folderPath: string | null) => (folderPath ?? '').split('/').slice(depth)
      // Uses the requested spelling of the directory.
      const found = files.map((file) => ({ path: [...directory, ...below(file.folderPath), file.title], file }))
      return found.toSorted((a, b) => (printPath(a.path) < printPath(b.path) ? -1 : 1))
    },
    async measure(found) {
      const sizes = new Map<string, number>()
      for (let from = 0; from < found.length; from += readAtOnce)
        for (const { noteId, content } of await readNotes(client, found.slice(from, from + readAtOnce)))
          sizes.set(noteId, new TextEncoder().encode(content).length)
      return sizes
    },
    async create(path, content) {
      const tag = await hashTag('file', ...above, ...path)
      const { created, noteId } = await createFirst(client, tag, { ...toPlace(path), content })
      if (created) return true
      // Created by this very call, if the answer to the first attempt was lost.
      const { note } = await client.notes.read({ noteId })
      return note.status === 'active' && note.content === content
    },
    async write({ noteId, version, title }, content) {
      const change = client.notes.update({ noteId, content, expectedVersion: version })
      const answer = await change.catch((error: unknown) => {
        throw error instanceof ConflictError ? new Error(`${title} has changed. View it again.`) : error
      })
      refuseProposal(answer)
    },
    async move({ noteId, title }, path) {
      const to = toPlace(path)
      await client.notes.move({ noteId, folderPath: to.folderPath })
      if (to.title !== title) refuseProposal(await client.notes.update({ noteId, title: to.title }))
    },
    async remove({ noteId }) {
      refuseProposal(await client.notes.delete({ noteId }))
    },
  }
}

/** Splits a path like the server. */
function folderNames(path: string): string[] {
  const names = path.split('/').flatMap((name) => name.trim() || [])
  if (names.length === 0) throw new TypeError('folder: must not be empty')
  return names
}
