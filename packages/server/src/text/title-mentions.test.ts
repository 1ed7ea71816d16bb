import { describe, expect, it } from 'vitest'
import { findTitleMentions, linkMentions } from './title-mentions.ts'

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
  ])('are whole words that are no link, code or address: %j', (text, expected) => {
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

  it('are looked for in no time in texts that were made to take long', () => {
    const start = performance.now()
    findTitleMentions('a '.repeat(250_000), 'a '.repeat(59) + 'b')
    findTitleMentions(`${'['.repeat(250_000)}${'<'.repeat(250_000)} x`, 'x')
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
