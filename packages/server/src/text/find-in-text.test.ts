import { describe, expect, it } from 'vitest'
import { startProcessorClock } from '../../test/processor-time.ts'
import { findOccurrences, findTitleMentions, linkMentions, lineAround, maxLineLength } from './find-in-text.ts'
import { findWikiLink, titleKey } from '@holdfast/transfer/text/wiki-links'

const named = (text: string, title: string) =>
  findTitleMentions(text, title).map(([start, end]) => text.slice(start, end))

describe('mentions of a title', () => {
  it.each([
    ['Ask at the North Pier, or at the north  pier.', ['North Pier', 'north  pier']],
    ['North Piers, MyNorth Pier and North\nPier are others.', []],
    ['[[North Pier]], [[Piers|North Pier]], [North Pier](https://a.example) and `North Pier` are none.', []],
    ['```\nNorth Pier\n```\nNorth Pier', ['North Pier']],
    ['https://a.example/North Pier and #North Pier', []],
    ['---\ntitle: North Pier\n---\nthe North Pier', ['North Pier']],
    ['---\r\ntitle: North Pier\r\n---\r\nthe North Pier', ['North Pier']],
    ['| pier |\n| --- |\n| north pier |\n| North Pier |', ['North Pier']],
    ['[[Other]] North Pier `code` North Pier', ['North Pier', 'North Pier']],
  ])('are whole words outside of links, code and addresses: %j', (text, expected) => {
    expect(named(text, 'North Pier')).toEqual(expected)
  })

  it('are found whatever the title is made of', () => {
    expect(named('Use C++ (not C) for (a|b)*.', 'C++')).toEqual(['C++'])
    expect(named('Use C++ (not C) for (a|b)*.', '(a|b)*')).toEqual(['(a|b)*'])
    expect(named('Straße, straße', 'Straße')).toEqual(['Straße', 'straße'])
    expect(named('a', '  ')).toEqual([])
  })

  it('become links that read as before', () => {
    const text = 'The north pier, or North Pier.'
    expect(linkMentions(text, 'North Pier', findTitleMentions(text, 'North Pier'))).toBe(
      'The [[North Pier|north pier]], or [[North Pier]].',
    )
  })

  it('are found quickly in texts built to be slow', () => {
    const usedMs = startProcessorClock()
    findTitleMentions('a '.repeat(250_000), 'a '.repeat(59) + 'b')
    findTitleMentions(`${'['.repeat(250_000)}${'<'.repeat(250_000)} x`, 'x')
    expect(usedMs()).toBeLessThan(5_000)
  })
})

const around = (text: string, title: string) => {
  const place = findWikiLink(text, titleKey(title))
  return place && lineAround(text, place)
}

it('is the whole line if it is short, without surrounding spaces', () => {
  expect(around('First line\n  See [[Ferns]] and moss. \nLast', 'ferns')).toBe('See [[Ferns]] and moss.')
  expect(around('[[Ferns]]', 'Ferns')).toBe('[[Ferns]]')
})

it('is found at the first link outside code, and not found without one', () => {
  expect(around('`[[Ferns]]` here\nand [[ferns|them]] there', 'Ferns')).toBe('and [[ferns|them]] there')
  expect(around('Ferns', 'Ferns')).toBeUndefined()
})

it('is the part around the link in a long line, without splitting a character', () => {
  for (let lead = 0; lead < 300; lead += 7) {
    const text = `${'🌿'.repeat(lead)} [[Ferns]] ${'🍂'.repeat(400)}`
    const line = around(text, 'Ferns') ?? ''
    expect(line.length).toBeLessThanOrEqual(maxLineLength)
    expect(line).toContain('[[Ferns]]')
    expect(line.isWellFormed()).toBe(true)
    expect(line.endsWith('…')).toBe(true)
  }
})

describe('occurrences', () => {
  it.each([
    ['abcabc', 'bc', [1, 4]],
    ['aaaa', 'aa', [0, 1, 2]],
    ['abc', 'x', []],
    ['abc', 'abcd', []],
    ['abc', 'abc', [0]],
    ['abc', '', []],
    ['abababc', 'ababc', [2]],
  ])('in %j of %j', (text, part, places) => {
    expect(findOccurrences(text, part)).toEqual(places)
  })

  it('are found in linear time in a text where a plain search is slow', () => {
    const usedMs = startProcessorClock()
    expect(findOccurrences('a'.repeat(500_000), `b${'a'.repeat(100_000)}`)).toEqual([])
    expect(findOccurrences('a'.repeat(500_000), `${'a'.repeat(100_000)}b`)).toEqual([])
    expect(usedMs()).toBeLessThan(1000)
  })
})
