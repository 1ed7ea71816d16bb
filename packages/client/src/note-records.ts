import type { Client } from './create-client.ts'
import { createFirst, listNotes, readNotes } from './list-notes.ts'
import { mapSome } from './map-some.ts'
import { refuseProposal } from './refuse-proposal.ts'

/** Maximum length of a note. */
const maxChars = 500_000

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

/** Records of a framework as notes in a folder, each with a tag that no other one has. People can read them, and deleted ones go to the trash. */
export class NoteRecords<Kept extends object> {
  readonly #client: Client
  readonly #folder: string

  constructor(client: Client, folder: string) {
    this.#client = client
    this.#folder = folder
  }

  /** Stores a record, in place of an earlier one. Throws a RangeError if it is longer than a note. */
  async keep({ tag, title, above }: Place, record: Kept): Promise<void> {
    const content = printRecord(record)
    if (content.length > maxChars)
      throw new RangeError(`A record can have ${maxChars} characters as JSON, but one has ${content.length}`)
    const note = { title, content, tags: [...above], folderPath: this.#folder }
    const { created, noteId } = await createFirst(this.#client, tag, note, { reusesLive: true })
    if (!created) refuseProposal(await this.#client.notes.update({ noteId, title, content, trashed: false }))
  }

  async read(tag: string): Promise<Kept | undefined> {
    const found = await listNotes(this.#client, { tags: [tag] })
    for await (const record of this.readAll(found.slice(0, 1))) return record
    return undefined
  }

  /** All records with a tag, the newest first. */
  async *list(tag: string): AsyncGenerator<Kept> {
    yield* this.readAll(await listNotes(this.#client, { tags: [tag] }))
  }

  /** Reads these notes in their order, without those that people have deleted or changed into something else. */
  async *readAll(outlines: readonly { noteId: string }[]): AsyncGenerator<Kept> {
    for (let from = 0; from < outlines.length; from += readAtOnce)
      for (const { content } of await readNotes(this.#client, outlines.slice(from, from + readAtOnce))) {
        const record = parseRecord(content)
        if (record !== undefined) yield record as Kept
      }
  }

  /** Moves all notes with a tag to the trash. */
  async remove(tag: string): Promise<void> {
    const found = await listNotes(this.#client, { tags: [tag] })
    await mapSome(found, async ({ noteId }) => refuseProposal(await this.#client.notes.delete({ noteId })))
  }
}

function parseRecord(content: string): object | undefined {
  try {
    const record: unknown = JSON.parse(content.slice(content.indexOf('\n'), content.lastIndexOf('\n')))
    return typeof record === 'object' && record !== null ? record : undefined
  } catch {
    return undefined
  }
}
