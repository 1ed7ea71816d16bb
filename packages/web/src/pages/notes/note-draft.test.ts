import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NoteDraft, savePauseMs, type Failure, type NoteChanges, type StoredText } from './note-draft.ts'

const stored: StoredText = { title: 'Log', content: 'one', tags: [], version: 1 }

/** A server with one note. It can be set to fail. */
function start() {
  let note = stored
  const failures: Failure[] = []
  const saved: NoteChanges[] = []
  const draft = new NoteDraft(note, {
    vaultId: 'v',
    async save(changes, expectedVersion) {
      await Promise.resolve()
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      if (expectedVersion !== note.version) throw { kind: 'conflict' } satisfies Failure
      saved.push(changes)
      const { rewriteLinks: _, ...texts } = changes
      note = { ...note, ...texts, version: note.version + 1 }
      return note
    },
    failureOf: (error) => error as Failure,
  })
  const write = (changes: Partial<StoredText>) => (note = { ...note, ...changes, version: note.version + 1 })
  const state = () => draft.snapshot.state.kind
  return { draft, failures, saved, write, state, server: () => note }
}

const offline: Failure = { kind: 'passing', reason: 'The server cannot be reached.' }

describe('NoteDraft', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('saves only the changed fields, after a pause in typing', async () => {
    const { draft, saved, state } = start()
    draft.change({ content: 'one t' })
    await vi.advanceTimersByTimeAsync(savePauseMs - 1)
    draft.change({ content: 'one two' })
    await vi.advanceTimersByTimeAsync(savePauseMs - 1)
    expect([saved, state()]).toEqual([[], 'changed'])
    await vi.advanceTimersByTimeAsync(1)
    expect([saved, state()]).toEqual([[{ content: 'one two' }], 'saved'])
    expect(draft.snapshot.stored.version).toBe(2)
  })

  it('does not save a change that was reverted', async () => {
    const { draft, saved, state } = start()
    draft.change({ content: 'other' })
    draft.change({ content: 'one' })
    await vi.advanceTimersByTimeAsync(savePauseMs)
    expect([saved, state()]).toEqual([[], 'saved'])
  })

  it('saves again what is typed during a save', async () => {
    const { draft, saved, state } = start()
    draft.change({ content: 'a' })
    const saving = draft.saveNow()
    draft.change({ content: 'ab' })
    await saving
    expect([draft.snapshot.mine.content, state()]).toEqual(['ab', 'changed'])
    await vi.advanceTimersByTimeAsync(savePauseMs)
    expect([saved, state()]).toEqual([[{ content: 'a' }, { content: 'ab' }], 'saved'])
  })

  it('keeps the text and retries with growing pauses while the server is unreachable', async () => {
    const { draft, failures, server, state } = start()
    failures.push(offline, offline)
    draft.change({ content: 'two' })
    await vi.advanceTimersByTimeAsync(savePauseMs)
    expect(draft.snapshot.state).toEqual({ kind: 'retrying', reason: offline.reason })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(state()).toBe('retrying')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(state()).toBe('retrying')
    await vi.advanceTimersByTimeAsync(2_000)
    expect([state(), server().content]).toEqual(['saved', 'two'])
  })

  it('keeps a rejected text, and saves again after the next change', async () => {
    const { draft, failures, server, state } = start()
    failures.push({ kind: 'refused', reason: 'too long' })
    draft.change({ content: 'long' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([state(), draft.snapshot.mine.content, server().content]).toEqual(['refused', 'long', 'one'])
    draft.change({ content: 'short' })
    await vi.advanceTimersByTimeAsync(savePauseMs)
    expect([state(), server().content]).toEqual(['saved', 'short'])
  })

  it('saves the rest without a rejected title', async () => {
    const { draft, failures, server, state } = start()
    failures.push({ kind: 'refused', reason: 'too many notes link here' })
    draft.change({ content: 'two' })
    await draft.rename('Journal', true)
    expect([state(), draft.snapshot.mine]).toEqual(['refused', { title: 'Log', content: 'two', tags: [] }])
    await vi.advanceTimersByTimeAsync(savePauseMs)
    expect([state(), server().title, server().content]).toEqual(['saved', 'Log', 'two'])
  })

  it('neither loses the text nor overwrites the changes of someone else', async () => {
    const { draft, server, write, state } = start()
    draft.change({ content: 'mine' })
    const theirs = write({ content: 'theirs' })
    await vi.advanceTimersByTimeAsync(savePauseMs)
    draft.change({ content: 'mine too' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([state(), draft.snapshot.mine.content, server().content]).toEqual(['conflict', 'mine too', 'theirs'])
    await draft.settle(theirs, { ...draft.snapshot.mine, content: 'both' })
    expect([state(), server().content]).toEqual(['saved', 'both'])
  })

  it('resolves a conflict without saving if the other text is used', async () => {
    const { draft, saved, write, state } = start()
    draft.change({ content: 'mine' })
    const theirs = write({ content: 'theirs' })
    await draft.saveNow()
    await draft.settle(theirs, theirs)
    expect([state(), draft.snapshot.mine.content, saved]).toEqual(['saved', 'theirs', []])
  })

  it('takes changes of others only if nothing is unsaved', () => {
    const { draft, write } = start()
    draft.receive(write({ content: 'theirs' }))
    expect(draft.snapshot.mine.content).toBe('theirs')
    draft.receive(stored)
    expect(draft.snapshot.mine.content).toBe('theirs')
    draft.change({ content: 'mine' })
    draft.receive(write({ content: 'later' }))
    expect(draft.snapshot.mine.content).toBe('mine')
  })

  it('saves if the note was only moved in the meantime', async () => {
    const { draft, write, state, server } = start()
    draft.change({ content: 'mine' })
    draft.receive(write({}))
    await vi.advanceTimersByTimeAsync(savePauseMs)
    expect([state(), server().content]).toEqual(['saved', 'mine'])
  })

  it('renames at once, and says whether to update links', async () => {
    const { draft, saved } = start()
    await draft.rename('Journal', false)
    await draft.rename('Diary', true)
    expect(saved).toEqual([
      { title: 'Journal', rewriteLinks: false },
      { title: 'Diary', rewriteLinks: true },
    ])
  })
})
