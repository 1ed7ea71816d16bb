import type { Note } from '@holdfast/client/dashboard'
import type { QueryClient } from '@tanstack/react-query'
import { CallError, isTransient, messageOf } from '../../api/call-error.ts'
import { call, type OutputOf } from '../../api/call.ts'
import { keyOf } from '../../api/queries.ts'
import { addTextKeeper } from '../../shell/session.ts'
import { isEqual, NoteDraft, type Failure, type StoredText } from './note-draft.ts'
import { refreshNotes } from './use-note-actions.ts'

/**
 * The drafts of notes, by note id. They outlive the note's page, so text that couldn't be saved is still there when the person returns
 * to it. They are kept in memory only, and dropped on signing out.
 */
const drafts = new Map<string, NoteDraft>()

export const storedOf = ({ title, content, tags, version }: Note): StoredText => ({ title, content, tags, version })

/** Returns the note's draft, updated to the given state, or a new one. */
export function openDraft(client: QueryClient, note: Note): NoteDraft {
  const { vaultId, noteId: id } = note
  const known = drafts.get(id)
  known?.receive(storedOf(note))
  if (known !== undefined) return known
  const draft = new NoteDraft(storedOf(note), {
    vaultId,
    async save(changes, expectedVersion) {
      const { stored } = draft.snapshot
      const edit = (version: number) =>
        call('update-note', { vaultId, noteId: id, expectedVersion: version, ...changes })
      const saved = await edit(expectedVersion).catch(async (error: unknown) => {
        const moved = await findMoved(error, vaultId, id, stored)
        if (moved === undefined) throw error
        return edit(moved)
      })
      const { version, updatedAt, links, unresolvedLinks } = saved
      const { rewriteLinks: _, ...written } = changes
      const change = { ...written, ...(saved.content !== undefined && { content: saved.content }), version }
      client.setQueryData<OutputOf<'read-note'>>(
        keyOf('read-note', { vaultId, noteId: id }),
        (cached) =>
          cached && {
            ...cached,
            note: { ...cached.note, ...change, ...afterPerson(cached.note, updatedAt) },
            links,
            unresolvedLinks,
          },
      )
      void refreshNotes(client, id)
      return { ...stored, ...change }
    },
    failureOf,
  })
  drafts.set(id, draft)
  return draft
}

/** What a change by a person makes of who changed the note last. Its trust stays the same. */
const afterPerson = ({ agentId, changedBy }: Note, updatedAt: string): Pick<Note, 'changedBy' | 'updatedAt'> => ({
  updatedAt,
  changedBy:
    changedBy === null && agentId === 'user'
      ? null
      : { integrationId: null, agentId: 'user', route: 'update-note', at: updatedAt },
})

/** The note's current version if only its folder changed since `stored`. */
async function findMoved(error: unknown, vaultId: string, id: string, stored: StoredText): Promise<number | undefined> {
  if (!(error instanceof CallError && error.status === 409)) return undefined
  const newest = await call('read-note', { vaultId, noteId: id })
  return isEqual(newest.note, stored) ? newest.note.version : undefined
}

/** Keeps the draft while the note is open. */
export const holdDraft = (id: string, draft: NoteDraft): void => void drafts.set(id, draft)

/** Saves the draft when the note is closed, and drops it if nothing is unsaved. */
export async function leaveDraft(id: string): Promise<void> {
  const draft = drafts.get(id)
  await draft?.saveNow()
  if (draft?.isUnsaved === false) drafts.delete(id)
}

function failureOf(error: unknown): Failure {
  const reason = messageOf(error)
  if (!(error instanceof CallError) || isTransient(error)) return { kind: 'passing', reason }
  if (error.status === 409) return { kind: 'conflict' }
  if (error.status === 404) return { kind: 'gone' }
  if (error.status === 401) return { kind: 'passing', reason: 'You are signed out.' }
  if (error.status === 429 || error.status >= 500) return { kind: 'passing', reason }
  const problems = Object.values(error.fields)
  return { kind: 'refused', reason: problems.length === 0 ? reason : problems.join('; ') }
}

const unsaved = () => [...drafts.values()].filter((draft) => draft.isUnsaved)
const saveAll = () => Promise.all(unsaved().map((draft) => draft.saveNow()))

globalThis.addEventListener('beforeunload', (event) => {
  if (unsaved().length === 0) return
  void saveAll()
  event.preventDefault()
})
globalThis.addEventListener('online', () => void saveAll())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void saveAll()
})
const listUnsaved = (vaultId: string) =>
  Array.from(drafts)
    .filter(([, draft]) => draft.vaultId === vaultId && draft.isUnsaved)
    .map(([id, { snapshot }]) => ({ id, title: snapshot.mine.title, text: snapshot.mine.content }))

addTextKeeper({ save: saveAll, list: listUnsaved, drop: () => drafts.clear() })
