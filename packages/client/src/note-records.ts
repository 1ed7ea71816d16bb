import type { Client } from './create-client.ts'
import type { Note } from './generated/operations.ts'
import { createFirst, listNotes, readListed, readNotes } from './list-notes.ts'
import { mapSome } from './map-some.ts'
import { refuseProposal } from './refuse-proposal.ts'

/** Maximum length of a note. */
const maxChars = 500_000

/** Tags of records and lists end with a hash. People may have added others. */
const ownTag = /-[0-9a-f]{64}$/

/** A record can have 500,000 characters. */
const readAtOnce = 20

// In a code block, because `[[…]]` elsewhere in a note is a link.
const printRecord = (record: object) => `\`\`\`json\n${JSON.stringify(record)}\n\`\`\``

/** Where a record is: the tag is its own, and `above` are those of the lists that it is in. */
export interface Place {
  tag: string
  title: string
  above: readonly string[]
}

export interface Stored<Kept> {
  record: Kept
  createdAt: Date
}

/** Records of a framework as notes in a folder, each with a tag that no other one has. People can read them, and deleted ones go to the trash. */
export class NoteRecords<Kept extends object> {
  readonly #client: Client
  readonly #folder: string

  constructor(client: Client, folder: string) {
    this.#client = client
    this.#folder = folder
  }

  /** Stores a record, in place of an earlier one, which may have been in other lists. Throws a RangeError if it is longer than a note. */
  async keep({ tag, title, above }: Place, record: Kept): Promise<void> {
    const content = printRecord(record)
    if (content.length > maxChars)
      throw new RangeError(`A record can have ${maxChars} characters as JSON, but one has ${content.length}`)
    const note = { title, content, tags: [...above], folderPath: this.#folder }
    const { created, noteId, live } = await createFirst(this.#client, tag, note, { reusesLive: true })
    if (created) return
    // Keeps the tags that people have added.
    const tags = live && { tags: [...live.tags.filter((one) => !ownTag.test(one)), tag, ...above] }
    refuseProposal(await this.#client.notes.update({ noteId, title, content, trashed: false, ...tags }))
  }

  /** The newest with this tag: two programs may have created one at the same time. */
  async read(tag: string): Promise<Stored<Kept> | undefined> {
    for await (const stored of this.list(tag, 1)) return stored
    return undefined
  }

  /**
   * The records with a tag, the newest first, without those that people have changed into something else. Requests them `atOnce` at a
   * time, when needed.
   */
  async *list(tag: string, atOnce = readAtOnce): AsyncGenerator<Stored<Kept>> {
    for await (const note of readListed(this.#client, { tags: [tag], limit: atOnce })) yield* parseNote<Kept>(note)
  }

  /** Reads these notes, in their order. */
  async *readAll(outlines: readonly { noteId: string }[]): AsyncGenerator<Stored<Kept>> {
    for (let from = 0; from < outlines.length; from += readAtOnce)
      for (const note of await readNotes(this.#client, outlines.slice(from, from + readAtOnce)))
        yield* parseNote<Kept>(note)
  }

  /** Moves all notes with a tag to the trash. */
  async remove(tag: string): Promise<void> {
    const found = await listNotes(this.#client, { tags: [tag] })
    await mapSome(found, async ({ noteId }) => refuseProposal(await this.#client.notes.delete({ noteId })))
  }
}

/** Nothing, if someone has changed the note so that it is no longer a record. */
function parseNote<Kept extends object>({ content, createdAt }: Note): Stored<Kept>[] {
  try {
    const record: unknown = JSON.parse(content.slice(content.indexOf('\n'), content.lastIndexOf('\n')))
    const isRecord = typeof record === 'object' && record !== null
    return isRecord ? [{ record: record as Kept, createdAt: new Date(createdAt) }] : []
  } catch {
    return []
  }
}
