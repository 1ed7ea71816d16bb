import { expect, it } from 'vitest'
import { useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { foreignScopes, makeVaultScope, type VaultScope } from '../../test/vault-scopes.ts'
import { newId } from '../core/ids.ts'
import { CellError } from '../crypto/cell.ts'
import type { Database } from '../db/dialect.ts'
import type { NotesTable } from '../db/tables/notes.ts'
import {
  countFolders,
  countNotesIn,
  findChild,
  findWithAncestors,
  insertFolder,
  listAllFolders,
  listDescendantIds,
} from './folder-store.ts'
import { listNoteIds, listOutlines } from './list-store.ts'
import type { Note } from './note.ts'
import {
  findByExternalWriteId,
  findNotes,
  findOutlines,
  getNote,
  insertNoteRow,
  updateNoteRow,
  setNoteTags,
} from './store.ts'
import { insertVersion, keepVersion, listVersions } from './version-store.ts'
import { findHolders, listNamers, setWikiTargets } from './wiki-store.ts'

type Given = Partial<Omit<Note, 'head'>> & { head?: Partial<Note['head']> }

const noteIn = (scope: VaultScope, over: Given = {}): Note => ({
  noteId: newId(),
  vaultId: scope.id,
  folderId: undefined,
  content: 'See [[Elsewhere]]',
  wordCount: 2,
  trashedAt: undefined,
  contentRevision: 1,
  version: 1,
  createdAt: 1_795_000_000_123,
  updatedAt: 1_795_000_000_456,
  ...over,
  head: {
    title: 'Title',
    tags: ['t'],
    preview: 'See Elsewhere',
    route: 'create-note',
    trust: 'agent_authored',
    ...over.head,
  },
})

async function insert(db: Database, scope: VaultScope, over: Given = {}): Promise<Note> {
  const note = noteIn(scope, over)
  await db.write(async (tx) => {
    await insertNoteRow(tx, scope, note)
    await setNoteTags(tx, scope, { noteId: note.noteId, tags: note.head.tags })
    await setWikiTargets(tx, scope, { noteId: note.noteId, keys: ['elsewhere'] })
  })
  return note
}

const overwrite = (db: Database, noteId: string, columns: Partial<NotesTable>) =>
  db.write((tx) => tx.updateTable('notes').set(columns).where('id', '=', noteId).execute())

const page = { limit: 20, offset: 0 }

eachDialect('notes store', (dialect) => {
  const open = useTestDatabase(dialect)

  it('returns a note as it was inserted, with every field', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const full = await insert(db, scope, {
      folderId: newId(),
      content: ' \u0000 "ünï" 𝄞\r\n ',
      trashedAt: 1,
      contentRevision: 7,
      version: 9,
      head: {
        title: ' T ',
        tags: [' a'],
        preview: 'p',
        externalWriteId: 'x',
        agentId: 'a',
        agentRunId: 'r',
        modelId: 'm',
        integrationId: 'i',
        route: 'import',
        changedBy: { agentId: 'user', route: 'update-note', at: 8 },
        trust: 'imported',
      },
    })
    const plain = await insert(db, scope)
    expect(await getNote(db.read, scope, full.noteId)).toEqual(full)
    const { content: _content, ...outline } = plain
    expect(await findOutlines(db.read, scope, [plain.noteId, newId()])).toEqual([outline])
    expect(await findNotes(db.read, scope, [])).toEqual([])
    await expect(getNote(db.read, scope, newId())).rejects.toThrow('Note not found')
  })

  it('opens notes and versions of an earlier release, which recorded no writers, as texts that any agent may have shaped', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const { head, ...note } = noteIn(scope, { head: { agentId: 'user' } })
    const { route: _route, trust: _trust, ...formerHead } = head
    const former = { ...note, head: formerHead as Note['head'] }
    await db.write((tx) => insertNoteRow(tx, scope, former))
    const state = { version: 1, title: 'Title', content: 'old', tags: [], updatedAt: '2026-11-21T09:00:00.000Z' }
    // In JSON, the writer is missing.
    const withoutWriter = { ...state, writer: { toJSON: () => undefined } } as unknown as Parameters<
      typeof insertVersion
    >[3]
    await db.write((tx) => insertVersion(tx, scope, note.noteId, withoutWriter))
    expect(await getNote(db.read, scope, note.noteId)).toEqual({
      ...note,
      head: { ...formerHead, route: 'create-note', trust: 'agent_authored' },
    })
    expect(await listVersions(db.read, scope, note.noteId)).toEqual([
      {
        ...state,
        writer: { route: 'create-note', at: Date.parse(state.updatedAt) },
        trust: 'agent_authored',
      },
    ])
  })

  it('encrypts the text again only on request', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const note = await insert(db, scope)
    const moved = { ...note, folderId: newId(), version: 2, updatedAt: 6 }
    await db.write((tx) => updateNoteRow(tx, scope, moved, { resealed: false }))
    expect(await getNote(db.read, scope, note.noteId)).toEqual(moved)
    const rewritten = { ...moved, content: 'Other', wordCount: 1, contentRevision: 2, version: 3 }
    await db.write((tx) => updateNoteRow(tx, scope, rewritten, { resealed: true }))
    expect(await getNote(db.read, scope, note.noteId)).toEqual(rewritten)
  })

  it('finds, changes and counts nothing in another vault or of another user', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const note = await insert(db, scope, { head: { title: 'Title', tags: ['t'], preview: '', externalWriteId: 'x' } })
    const { noteId } = note
    await db.write((tx) => keepVersion(tx, scope, note))
    const folder = await db.write((tx) => insertFolder(tx, scope, { parentId: undefined, name: 'F' }, 1))
    await db.write((tx) => updateNoteRow(tx, scope, { ...note, folderId: folder.folderId }, { resealed: false }))
    const everythingIn = async (foreign: VaultScope) => [
      await findNotes(db.read, foreign, [noteId]),
      await findOutlines(db.read, foreign, [noteId]),
      await findByExternalWriteId(db.read, foreign, 'x'),
      [...(await findHolders(db.read, foreign, ['title']))],
      await listNamers(db.read, foreign, 'elsewhere', 10),
      await listVersions(db.read, foreign, noteId),
      await listOutlines(db.read, foreign, { state: 'all' }, page),
      [...(await listNoteIds(db.read, foreign, { tags: ['t'] }))],
      await findChild(db.read, foreign, undefined, 'F'),
      [...(await findWithAncestors(db.read, foreign, [folder.folderId]))],
      await listDescendantIds(db.read, foreign, folder.folderId),
      await listAllFolders(db.read, foreign),
      await countFolders(db.read, foreign),
      [...(await countNotesIn(db.read, foreign, [folder.folderId]))],
    ]
    const nothing = [[], [], undefined, [], [], [], { notes: [], total: 0 }, [], undefined, [], [], [], 0, []]
    for (const [whose, foreign] of foreignScopes(scope)) {
      expect([whose, await everythingIn(foreign)]).toEqual([whose, nothing])
      await db.write((tx) => updateNoteRow(tx, foreign, { ...note, version: 99 }, { resealed: false }))
    }
    expect((await getNote(db.read, scope, noteId)).version).toBe(1)
    expect((await everythingIn(scope)).map((found) => JSON.stringify(found) ?? '')).not.toContain('[]')
  })

  it('opens no cell that was moved from another note, column or revision', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const [a, b] = [await insert(db, scope), await insert(db, scope)]
    const rowOf = (noteId: string) =>
      db.read.selectFrom('notes').selectAll().where('id', '=', noteId).executeTakeFirstOrThrow()
    const [rowA, rowB] = [await rowOf(a.noteId), await rowOf(b.noteId)]
    for (const columns of [{ body: rowB.body }, { head: rowB.head }, { body: rowA.head }, { contentRevision: 2 }]) {
      await overwrite(db, a.noteId, columns)
      await expect(getNote(db.read, scope, a.noteId)).rejects.toThrow(CellError)
      await overwrite(db, a.noteId, rowA)
    }
    expect(await getNote(db.read, scope, a.noteId)).toEqual(a)
  })

  it('finds titles, tags and names by keyed tags that differ in another vault', async () => {
    const [db, a, b] = [open(), makeVaultScope(), makeVaultScope()]
    for (const scope of [a, b]) await insert(db, scope)
    const rows = await db.read.selectFrom('notes').select('titleTag').where('vaultId', 'in', [a.id, b.id]).execute()
    expect(new Set(rows.map(({ titleTag }) => Buffer.from(titleTag).toString('hex'))).size).toBe(2)
  })
})
