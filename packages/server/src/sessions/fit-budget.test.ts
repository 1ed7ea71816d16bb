import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutContent, cutMark } from './assemble-answer.ts'
import { fitBudget, type Budget, type Lists, type Section } from './fit-budget.ts'

const chars = (value: unknown) => JSON.stringify(value).length
const frame = (lists: Lists, budget: Budget) => ({ lists, budget })
const emptyChars = (names: readonly string[]) => chars(fitBudget(1_000_000, [frame], names.map(sectionOf)))
const sectionOf = (name: string): Section => ({ name, entries: [] })
const entriesOf = (...texts: string[]) => texts.map((text) => ({ text }))

describe('fitBudget', () => {
  it('keeps everything if it fits, and counts the used characters exactly', () => {
    const sections = [{ name: 'a', entries: entriesOf('x', 'y') }, sectionOf('b')]
    const answer = fitBudget(1000, [frame], sections)
    expect(answer.lists).toEqual({ a: entriesOf('x', 'y'), b: [] })
    expect(answer.budget).toEqual({ maxResponseChars: 1000, usedChars: chars(answer), omitted: { a: 0, b: 0 } })
  })

  it('uses the last free character, and leaves out an entry that needs one more', () => {
    const sections = [{ name: 'a', entries: entriesOf('x'.repeat(50), 'y'.repeat(50)) }]
    const needed = chars(fitBudget(1000, [frame], sections))
    const tight = fitBudget(needed, [frame], sections)
    expect([tight.lists.a?.length, tight.budget.usedChars <= needed]).toEqual([2, true])
    const short = fitBudget(needed - 5, [frame], sections)
    expect([short.lists.a, short.budget.omitted]).toEqual([entriesOf('x'.repeat(50)), { a: 1 }])
  })

  it('drops the last section first, and tries shorter entries after a long one', () => {
    const room = emptyChars(['a', 'b'])
    const sections = [
      { name: 'a', entries: entriesOf('x'.repeat(100)) },
      { name: 'b', entries: entriesOf('y'.repeat(100), 'z') },
    ]
    const answer = fitBudget(room + 140, [frame], sections)
    expect(answer.lists).toEqual({ a: entriesOf('x'.repeat(100)), b: entriesOf('z') })
    expect(answer.budget.omitted).toEqual({ a: 0, b: 1 })
  })

  it('limits a section to its share while others wait, then gives it what is left', () => {
    const many = Array.from({ length: 50 }, (_, n) => ({ text: `entry ${n}`.padEnd(20) }))
    const vaults = { name: 'vaults', entries: many, share: 0.2 }
    const crowded = fitBudget(2000, [frame], [vaults, { name: 'facts', entries: many }])
    expect(crowded.lists.vaults?.length).toBeLessThan(12)
    expect(crowded.lists.facts?.length).toBeGreaterThan(30)
    const alone = fitBudget(2000, [frame], [vaults, { name: 'facts', entries: [] }])
    expect(alone.lists.vaults).toHaveLength(50)
    expect(alone.lists.vaults).toEqual(many)
  })

  it('counts entries as omitted even if they were never fetched', () => {
    const answer = fitBudget(1000, [frame], [{ name: 'a', entries: entriesOf('x'), total: 12_345 }])
    expect(answer.budget.omitted).toEqual({ a: 12_344 })
  })

  it('uses the first form of the frame that fits, and throws if none does', () => {
    const long = (lists: Lists, budget: Budget) => ({ lists, budget, name: 'x'.repeat(500) })
    expect(fitBudget<object>(300, [long, frame], [])).not.toHaveProperty('name')
    expect(fitBudget<object>(900, [long, frame], [])).toHaveProperty('name')
    expect(() => fitBudget(20, [frame], [])).toThrow(RangeError)
  })

  it('cuts a document that does not fit, and gives it the space that others leave', () => {
    const text = { documentType: 'soul', content: 'word '.repeat(1000) }
    const documents: Section = {
      name: 'documents',
      entries: [text],
      share: 0.5,
      cut: (entry, room) => cutContent(entry as typeof text, room),
    }
    const answer = fitBudget(2000, [frame], [documents, { name: 'facts', entries: entriesOf('x'.repeat(300)) }])
    expect(answer.lists.facts).toHaveLength(1)
    const [cut] = answer.lists.documents as [{ content: string; truncated: boolean }]
    expect(cut.truncated).toBe(true)
    expect(cut.content.endsWith(cutMark)).toBe(true)
    expect(answer.budget.usedChars).toBeGreaterThan(1950)
  })

  const text = fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 60, unit: 'grapheme' }) },
    fc.string({ maxLength: 400, unit: 'binary' }),
    fc.constantFrom('\u0000'.repeat(90), '"\\'.repeat(100), '漢字'.repeat(90), '👩‍👩‍👧‍👦'.repeat(30), '\n'.repeat(200)),
  )
  const entry = fc.record({ id: fc.nat(), content: text, more: fc.jsonValue({ maxDepth: 2 }) })
  const section = fc.record({
    entries: fc.array(entry, { maxLength: 40 }),
    share: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    extra: fc.nat(100_000),
    isCut: fc.boolean(),
  })

  it('never exceeds the budget, counts exactly, keeps order and reports everything it omits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 20_000 }), fc.array(section, { maxLength: 6 }), (max, drawn) => {
        const sections = drawn.map(({ entries, share, extra, isCut }, at): Section => ({
          name: `section${at}`,
          entries,
          share,
          total: entries.length + extra,
          ...(isCut && { cut: (one, room) => cutContent(one as (typeof entries)[number], room) }),
        }))
        const answer = fitBudget(max, [frame], sections)
        expect(chars(answer)).toBeLessThanOrEqual(max)
        expect(answer.budget.usedChars).toBe(chars(answer))
        for (const { name, entries, total } of sections) {
          const kept = answer.lists[name] as typeof entries
          expect(answer.budget.omitted[name]).toBe((total ?? 0) - kept.length)
          const whole = kept.filter((one) => !('truncated' in one))
          expect(whole).toEqual(entries.filter((one) => whole.includes(one)))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('leaves out no entry that would have fit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 4000 }), fc.array(section, { maxLength: 4 }), (max, drawn) => {
        const sections = drawn.map(({ entries, share }, at): Section => ({ name: `section${at}`, entries, share }))
        const answer = fitBudget(max, [frame], sections)
        for (const { name, entries } of sections) {
          const kept = new Set(answer.lists[name])
          const smallest = Math.min(...entries.filter((one) => !kept.has(one)).map(chars))
          // A few characters are held back for the digits of the counts.
          expect(chars(answer) + smallest + 1 + 12).toBeGreaterThan(max)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('cutContent', () => {
  it('returns the longest beginning that fits, with a mark, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 300, maxLength: 3000, unit: 'binary' }), fc.nat(4000), (content, room) => {
        const cut = cutContent({ documentType: 'soul', content }, room)
        if (cut === undefined) return
        expect(chars(cut)).toBeLessThanOrEqual(room)
        expect(cut.content.isWellFormed() || !content.isWellFormed()).toBe(true)
        expect(content.startsWith(cut.content.slice(0, -cutMark.length))).toBe(true)
      }),
    )
    expect(cutContent({ content: 'x'.repeat(5000) }, 60)).toBeUndefined()
  })
})
