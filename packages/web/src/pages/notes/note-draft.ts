/**
 * What somebody writes in a note, until the server has it. Each change is saved once nothing was typed for a moment, under
 * the version that it began from; what cannot be saved is kept and, where that may help, tried again. Nothing but
 * `receive` and `settle`, which are asked to, ever replaces what was written.
 */

export interface NoteText {
  title: string
  content: string
  tags: readonly string[]
}

/** A note as the server has it. */
export interface StoredText extends NoteText {
  version: number
}

/** What differs from what the server has. */
export interface NoteChanges {
  title?: string
  content?: string
  tags?: string[]
  /** Only with a title. */
  rewriteLinks?: boolean
}

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'changed' }
  | { kind: 'saving' }
  /** Not saved, and tried again before long. */
  | { kind: 'retrying'; reason: string }
  /** Not saved, and not before it is changed. */
  | { kind: 'refused'; reason: string }
  /** Somebody else was faster. */
  | { kind: 'conflict' }
  /** It is there no longer. */
  | { kind: 'gone' }

export interface DraftSnapshot {
  stored: StoredText
  mine: NoteText
  state: SaveState
}

/** Why a save failed, as far as it matters for what comes next. */
export type Failure =
  | { kind: 'passing'; reason: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'conflict' }
  | { kind: 'gone' }

interface Wiring {
  /** Resolves to the note as it was stored; rejects with whatever `failureOf` understands. */
  save(changes: NoteChanges, expectedVersion: number): Promise<StoredText>
  failureOf(error: unknown): Failure
}

export const savePauseMs = 1_500
const firstRetryMs = 2_000
const lastRetryMs = 30_000

export class NoteDraft {
  readonly #wiring: Wiring
  readonly #listeners = new Set<() => void>()
  #snapshot: DraftSnapshot
  #rewriteLinks = true
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  #retryMs = firstRetryMs

  constructor(stored: StoredText, wiring: Wiring) {
    this.#wiring = wiring
    this.#snapshot = { stored, mine: textOf(stored), state: { kind: 'saved' } }
  }

  get snapshot(): DraftSnapshot {
    return this.#snapshot
  }

  get isUnsaved(): boolean {
    return this.#snapshot.state.kind !== 'saved'
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  change(changes: Partial<NoteText>): void {
    const mine = { ...this.#snapshot.mine, ...changes }
    this.#update({ mine })
    const { kind } = this.#snapshot.state
    if (kind === 'conflict' || kind === 'gone') return
    if (this.#sending !== undefined) return
    if (isEqual(mine, this.#snapshot.stored)) return this.#rest()
    this.#retryMs = firstRetryMs
    this.#update({ state: { kind: 'changed' } })
    this.#later(savePauseMs)
  }

  /** Saved at once: a title is given as a whole. */
  rename(title: string, rewriteLinks: boolean): Promise<void> {
    this.#rewriteLinks = rewriteLinks
    this.change({ title })
    return this.saveNow()
  }

  /** Resolves once nothing is on its way; what became of it, the state says. */
  async saveNow(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending
    const { stored, mine, state } = this.#snapshot
    if (state.kind === 'conflict' || state.kind === 'gone' || isEqual(mine, stored)) return
    clearTimeout(this.#timer)
    this.#sending = this.#send(changesOf(stored, mine, this.#rewriteLinks))
    await this.#sending
  }

  /** The server has something newer: it is shown where nothing of one's own is in the way, as it never is where only its version is new. */
  receive(newest: StoredText): void {
    const { stored, state } = this.#snapshot
    if (newest.version <= stored.version) return
    if (isEqual(newest, stored)) this.#update({ stored: newest })
    else if (state.kind === 'saved') this.#update({ stored: newest, mine: textOf(newest) })
  }

  /** After a conflict: `mine` is to stand in the place of the newest. */
  settle(newest: StoredText, mine: NoteText): Promise<void> {
    this.#update({ stored: newest, mine, state: { kind: 'changed' } })
    if (!isEqual(mine, newest)) return this.saveNow()
    this.#rest()
    return Promise.resolve()
  }

  async #send(changes: NoteChanges): Promise<void> {
    const sent = this.#snapshot.mine
    this.#update({ state: { kind: 'saving' } })
    try {
      const stored = await this.#wiring.save(changes, this.#snapshot.stored.version)
      this.#sending = undefined
      this.#retryMs = firstRetryMs
      this.#rewriteLinks = true
      this.#update({ stored, mine: carriedOn(sent, this.#snapshot.mine, stored) })
      if (isEqual(this.#snapshot.mine, stored)) this.#rest()
      else {
        this.#update({ state: { kind: 'changed' } })
        this.#later(savePauseMs)
      }
    } catch (error) {
      this.#sending = undefined
      this.#fail(this.#wiring.failureOf(error))
    }
  }

  #fail(failure: Failure): void {
    if (failure.kind === 'refused') return this.#refuse(failure.reason)
    if (failure.kind !== 'passing') return this.#update({ state: failure })
    this.#update({ state: { kind: 'retrying', reason: failure.reason } })
    this.#later(this.#retryMs)
    this.#retryMs = Math.min(lastRetryMs, this.#retryMs * 2)
  }

  /** It may be the title alone that cannot be; then that is what it was, and the rest is saved without it. */
  #refuse(reason: string): void {
    const { stored, mine } = this.#snapshot
    const isRenamed = mine.title !== stored.title
    this.#update({ mine: { ...mine, title: stored.title }, state: { kind: 'refused', reason } })
    if (isRenamed && !isEqual(this.#snapshot.mine, stored)) this.#later(savePauseMs)
  }

  #later(pauseMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.saveNow(), pauseMs)
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#update({ state: { kind: 'saved' } })
  }

  #update(changes: Partial<DraftSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

const textOf = ({ title, content, tags }: NoteText): NoteText => ({ title, content, tags })

export const isEqual = (a: NoteText, b: NoteText) =>
  a.content === b.content && a.title === b.title && a.tags.join('\n') === b.tags.join('\n')

function changesOf(stored: NoteText, mine: NoteText, rewriteLinks: boolean): NoteChanges {
  return {
    ...(mine.content !== stored.content && { content: mine.content }),
    ...(mine.tags.join('\n') !== stored.tags.join('\n') && { tags: [...mine.tags] }),
    ...(mine.title !== stored.title && { title: mine.title, rewriteLinks }),
  }
}

/** What nobody touched while it was being saved is as the server now has it: a rename also changes what a text says of itself. */
const carriedOn = (sent: NoteText, now: NoteText, stored: NoteText): NoteText => ({
  title: now.title === sent.title ? stored.title : now.title,
  content: now.content === sent.content ? stored.content : now.content,
  tags: now.tags === sent.tags ? stored.tags : now.tags,
})
