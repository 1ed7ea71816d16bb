import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEntry, encodeEntry } from './entry.ts'
import { keyEntry, keyText } from '../index-record.ts'
import { wordTags } from '../testing/records.ts'

const record = {
  text: 'the dog saw the other dog',
  exactText: 'the dog saw the other dog',
  header: {
    speaker: 'Ann',
    occurredAt: 0,
    entities: ['Acme', 'acme '],
    tags: ['xy', 'z1'],
    title: 'Dogs of Acme (film)',
  },
  agentRunId: 'run-1',
  vectors: { modelId: 'static-256', chunks: [Float32Array.of(3, 4, 0), Float32Array.of(0, 0, 1)] },
}

describe('an index entry', () => {
  it('is unchanged after encoding and decoding', () => {
    const entry = keyEntry(record, wordTags)
    expect(decodeEntry(encodeEntry(entry))).toEqual(entry)
  })

  it('can be read in the format from before names and text tags', () => {
    const tag = [1, 2, 3, 4, 5, 6, 7, 8]
    const entry = decodeEntry(Buffer.of(1, 0, 1, ...tag, 1, 0, 0, 2, 0, 0, 0))
    expect(entry).toMatchObject({ names: [], textTag: undefined, tagWords: 0, titleWords: 0, vectors: undefined })
    expect([...entry.text]).toEqual([0, 0])
    expect([...encodeEntry(entry)]).toEqual([1, 0, 1, ...tag, 1, 0, 0, 2, 0, 0, 0])
  })

  it('keeps the title as its name, with and without its part in brackets, and stores where the title is in the header', () => {
    const { names, header, titleWords, tagWords, tags } = keyEntry(record, wordTags)
    const tagsOf = (places: Uint32Array) => Buffer.concat([...places].map((i) => tags.subarray(i * 8, i * 8 + 8)))
    expect(names.map(tagsOf)).toEqual([wordTags(['dog', 'acm', 'film']), wordTags(['dog', 'acm'])])
    expect([tagWords, titleWords]).toEqual([2, 3])
    expect(tagsOf(header.subarray(-5))).toEqual(wordTags(['xy', 'z1', 'dog', 'acm', 'film']))
  })

  it('names a record without a title by its entities, each once', () => {
    const header = { occurredAt: 0, entities: ['Acme', 'acme ', 'Ann Lee'], tags: [] }
    expect(keyEntry({ text: '', header }, wordTags).names.map(({ length }) => length)).toEqual([1, 2])
  })

  it('extracts no name from a sentence, a stop word or a letter, and at most 64', () => {
    const nameCount = (entities: string[]) => {
      return keyEntry({ text: '', header: { occurredAt: 0, entities, tags: [] } }, wordTags).names.length
    }
    expect(nameCount(['the who', 'x', '?!', '', 'seven words make one long boring sentence here'])).toBe(0)
    expect(nameCount(Array.from({ length: 100 }, (_, i) => `name${i}`))).toBe(64)
  })

  it('gives equal texts equal tags, and other texts other tags', () => {
    const tagOf = (exactText: string) => keyEntry({ ...record, exactText }, wordTags).textTag
    expect(tagOf('The  dog\nsaw the other DOG ')).toEqual(keyText(record.exactText, wordTags))
    expect(tagOf('the dog saw the other dogs')).not.toEqual(keyText(record.exactText, wordTags))
  })

  it('lists each distinct word once and keeps the order of the text', () => {
    const { tags, text, header, speakerWords } = keyEntry(record, wordTags)
    expect(Buffer.from(tags.subarray(0, 8))).toEqual(wordTags(['ann']))
    const tagAt = (place: number | undefined) => Buffer.from(tags.subarray((place ?? 0) * 8, (place ?? 0) * 8 + 8))
    expect(Buffer.concat([...text].map(tagAt))).toEqual(wordTags(['dog', 'saw', 'dog']))
    expect(speakerWords).toBe(1)
    expect(new Set([...header, ...text]).size * 8).toBe(tags.length)
  })

  it('keeps one tag for an entity however it is spelled', () => {
    expect(keyEntry(record, wordTags).entities).toHaveLength(8)
  })

  it('can contain a text of 100,000 characters', () => {
    const text = Array.from({ length: 17_000 }, (_, i) => `w${i % 9000}`)
      .join(' ')
      .slice(0, 100_000)
    const entry = keyEntry({ ...record, text }, wordTags)
    expect(decodeEntry(encodeEntry(entry)).text).toEqual(entry.text)
  })

  it('rejects bytes that end early, are too long or have an unknown version', () => {
    const bytes = encodeEntry(keyEntry(record, wordTags))
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeEntry(bytes.subarray(0, length))).toThrow('Malformed index entry')
    }
    expect(() => decodeEntry(Buffer.concat([bytes, Buffer.of(0)]))).toThrow('bytes left over')
    expect(() => decodeEntry(Buffer.concat([Buffer.of(9), bytes.subarray(1)]))).toThrow('unknown version 9')
  })

  it('reads or rejects any bytes, and reserves no memory for forged counts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, looksRight) => {
        const forged = looksRight ? Buffer.concat([Buffer.of(1, 31), bytes]) : bytes
        expect(problemOf(() => decodeEntry(forged))).toMatch(/^$|Malformed index entry/)
      }),
    )
    const hugeCount = Buffer.of(1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f)
    expect(() => decodeEntry(hugeCount)).toThrow('ends too early')
  })

  it('rejects vectors of different lengths', () => {
    const vectors = { modelId: 'm', chunks: [[1, 2], [1]] }
    expect(() => keyEntry({ ...record, vectors }, wordTags)).toThrow(RangeError)
  })
})

/** The message of the error that `work` throws, or undefined. */
function problemOf(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    return String(error)
  }
}
