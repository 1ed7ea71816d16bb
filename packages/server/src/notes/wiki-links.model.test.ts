import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { makeUser } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import { isLinkable, listWikiTitles, renameWikiLinks, titleKey } from '@holdfast/transfer/text/wiki-links'

/** After any changes, the links of a vault match its texts. */

interface ModelNote {
  noteId: string
  title: string
  content: string
  isTrashed: boolean
}

const title = fc.constantFrom('A', 'B', 'a ', 'C', 'C#', 'a`b')
const content = fc
  .array(
    fc.constantFrom(
      '[[A]]',
      '[[b|x]]',
      '[[C#Part]]',
      '[[C#]]',
      '[[A#Part]]',
      '`[[B]]`',
      '[[ a ]]',
      '[[a`b]]',
      '`',
      '\n',
      'word',
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(' '))
const which = fc.nat(5)

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), title, content }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), which, title }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), which, content }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('both' as const), which, title, content }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('trash' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restoreAs' as const), which, title }) },
)

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** The oldest live note with a title: notes are listed oldest first. */
const holderOf = (notes: readonly ModelNote[], key: string) =>
  notes.find((note) => !note.isTrashed && titleKey(note.title) === key)

/** The titles that a text links to, some of them with an alias. */
const keysIn = (text: string, renamed: Record<string, string> = {}) =>
  new Set(listWikiTitles(text).map(({ key }) => renamed[key] ?? key))

/** False if the rename is rejected because another text could not name the title. */
function rename(notes: readonly ModelNote[], note: ModelNote, to: string, isTextGiven: boolean): boolean {
  const key = titleKey(note.title)
  if (key !== titleKey(to) && holderOf(notes, key) === note) {
    const naming = notes.filter(
      (other) => !other.isTrashed && listWikiTitles(other.content).some((named) => named.key === key),
    )
    const renamed = naming.map((other) => (isLinkable(to) ? renameWikiLinks(other.content, key, to) : undefined))
    if (naming.some((other, at) => other !== note && renamed[at] === undefined)) return false
    for (const [at, other] of naming.entries()) {
      if (other === note && isTextGiven) continue
      const rewritten = renamed[at] ?? other.content
      if (other !== note) expect(keysIn(rewritten)).toEqual(keysIn(other.content, { [key]: titleKey(to) }))
      other.content = rewritten
    }
  }
  note.title = to
  return true
}

/** The status of the answer. */
function apply(notes: readonly ModelNote[], note: ModelNote, made: Exclude<Change, { kind: 'create' }>): number {
  if (made.kind === 'trash') note.isTrashed = true
  if ('title' in made && !rename(notes, note, made.title, 'content' in made)) return 400
  if ('content' in made) note.content = made.content
  if (made.kind === 'restore' || made.kind === 'restoreAs') note.isTrashed = false
  return 200
}

const linksIn = (notes: readonly ModelNote[]) =>
  notes
    .filter((note) => !note.isTrashed)
    .flatMap((note) =>
      listWikiTitles(note.content).flatMap(({ key }) => {
        const holder = holderOf(notes, key)
        return holder === undefined || holder === note ? [] : [`${note.noteId} ${holder.noteId}`]
      }),
    )
    .toSorted()

describe('links by title', () => {
  const test = useTestApp()

  it('match the texts after any changes', async () => {
    const user = await makeUser(test())
    const agent = await startAgent(test(), { user })
    const { db } = test().app.services

    const run = async (changes: readonly Change[]) => {
      const vault = await agent.call('create-vault', { name: 'One run' })
      const { vaultId } = vault.body
      const notes: ModelNote[] = []
      for (const made of changes) {
        const note = 'which' in made ? notes[made.which % notes.length] : undefined
        if (made.kind === 'create') {
          const { kind: _kind, ...fields } = made
          const { body } = await agent.call('create-note', { ...fields, vaultId })
          notes.push({ noteId: String(body.noteId), isTrashed: false, ...fields })
        } else if (note !== undefined) {
          const { kind, which: _which, ...fields } = made
          const { noteId } = note
          const restored = kind === 'restore' || kind === 'restoreAs' ? { trashed: false } : {}
          const name = kind === 'trash' ? 'delete-note' : 'update-note'
          const { status, text } = await agent.call(name, { noteId, ...fields, ...restored, vaultId })
          if (apply(notes, note, made) !== status) throw new Error(text)
        }
      }
      const rows = await db.read
        .selectFrom('links')
        .selectAll()
        .where('vaultId', '=', String(vaultId))
        .where('removedAt', 'is', null)
        .execute()
      expect(rows.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`).toSorted()).toEqual(linksIn(notes))
      const { body } = await agent.call('read-notes', {
        noteIds: [...notes.map(({ noteId }) => noteId), user.userId],
        vaultId,
      })
      expect(body.notes).toMatchObject(notes.map(({ isTrashed: _trashed, ...note }) => note))
    }

    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 14 }), run), { numRuns: 100 })
  })
})
