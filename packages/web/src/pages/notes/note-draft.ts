import { frontOf, joinLead, leadOf, retitle } from './note-lead.ts'

/**
 * The text of a note being edited. A change is saved after a pause in typing, with the version it is based on. If saving fails, the
 * text is kept, and saving is retried if that may help. Only `receive` and `settle` replace the text.
 */

export interface NoteText {
  title: string
  content: string
  tags: readonly string[]
}

/** The note on the server. */
export interface StoredText extends NoteText {
  version: number
}

/** The fields that differ from the server's. */
export interface NoteChanges {
  title?: string
  content?: string
  tags?: string[]
  /** Only together with `title`. */
  rewriteLinks?: boolean
}

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'changed' }
  | { kind: 'saving' }
  /** Saving failed and will be retried. */
  | { kind: 'retrying'; reason: string }
  /** The server rejected the text. It is saved again after the next change. */
  | { kind: 'refused'; reason: string }
  /** Someone else changed the note. */
  | { kind: 'conflict' }
  /** The note was deleted. */
  | { kind: 'gone' }

export interface DraftSnapshot {
  stored: StoredText
  mine: NoteText
  /** The start of the text that the editor doesn't show. It stays the same while the person types, so no line vanishes under the cursor. */
  lead: string
  state: SaveState
}

/** Why saving failed. Decides what happens next. */
export type Failure =
  | { kind: 'passing'; reason: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'conflict' }
  | { kind: 'gone' }

interface Wiring {
  vaultId: string
  /** Resolves to the stored note. Rejects with an error that `failureOf` accepts. */
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
    this.#snapshot = { stored, mine: textOf(stored), lead: leadOf(stored), state: { kind: 'saved' } }
  }

  get vaultId(): string {
    return this.#wiring.vaultId
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
    this.#update({ mine, lead: mine.content.startsWith(this.#snapshot.lead) ? this.#snapshot.lead : leadOf(mine) })
    const { kind } = this.#snapshot.state
    if (kind === 'conflict' || kind === 'gone') return
    if (this.#sending !== undefined) return
    if (isEqual(mine, this.#snapshot.stored)) return this.#rest()
    this.#retryMs = firstRetryMs
    this.#update({ state: { kind: 'changed' } })
    this.#later(savePauseMs)
  }

  /** Changes the text after the lead. */
  changeBody(body: string, tags: readonly string[]): void {
    const { lead, content } = joinLead(this.#snapshot.lead, body)
    this.#update({ lead })
    this.change({ content, tags })
  }

  /** Changes the front matter. `front` includes its lines of `---`, or is empty. */
  changeFront(front: string): void {
    const { mine, lead } = this.#snapshot
    const old = frontOf(lead).front
    this.#update({ lead: front + lead.slice(old.length) })
    this.change({ content: front + mine.content.slice(old.length) })
  }

  /** Finds the lead again, before another view of the text is shown. */
  findLead(): void {
    this.#update({ lead: leadOf(this.#snapshot.mine) })
  }

  /** Saves at once, because titles are entered as a whole. A heading that repeats the title follows it. */
  rename(title: string, rewriteLinks: boolean): Promise<void> {
    const { mine } = this.#snapshot
    this.#rewriteLinks = rewriteLinks
    this.change({ title, content: retitle(mine.content, mine.title, title) })
    return this.saveNow()
  }

  /** Resolves once no save is running. The result is in the state. */
  async saveNow(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending
    const { stored, mine, state } = this.#snapshot
    if (state.kind === 'conflict' || state.kind === 'gone' || isEqual(mine, stored)) return
    clearTimeout(this.#timer)
    this.#sending = this.#send(changesOf(stored, mine, this.#rewriteLinks))
    await this.#sending
  }

  /** Takes a newer state from the server. Unsaved text is never replaced. */
  receive(newest: StoredText): void {
    const { stored, state } = this.#snapshot
    if (newest.version <= stored.version) return
    if (isEqual(newest, stored)) this.#update({ stored: newest })
    else if (state.kind === 'saved') this.#update({ stored: newest, mine: textOf(newest), lead: leadOf(newest) })
  }

  /** Resolves a conflict: saves `mine` over the newest version. */
  settle(newest: StoredText, mine: NoteText): Promise<void> {
    this.#update({ stored: newest, mine, lead: leadOf(mine), state: { kind: 'changed' } })
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
      const now = this.#snapshot.mine
      const mine = withSaved(sent, now, stored)
      this.#update({ stored, mine, ...(mine.content !== now.content && { lead: leadOf(mine) }) })
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

  /** Often only the title is rejected. Resets it and saves the rest. */
  #refuse(reason: string): void {
    const { stored, mine } = this.#snapshot
    const isRenamed = mine.title !== stored.title
    const content = isRenamed ? retitle(mine.content, mine.title, stored.title) : mine.content
    const kept = { ...mine, title: stored.title, content }
    this.#update({ mine: kept, ...(isRenamed && { lead: leadOf(kept) }), state: { kind: 'refused', reason } })
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

/** Takes the server's value of each field not edited during the save: a rename can also change links in the note's own text. */
const withSaved = (sent: NoteText, now: NoteText, stored: NoteText): NoteText => ({
  title: now.title === sent.title ? stored.title : now.title,
  content: now.content === sent.content ? stored.content : now.content,
  tags: now.tags === sent.tags ? stored.tags : now.tags,
})
