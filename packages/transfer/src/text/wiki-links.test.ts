import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLinkable, listMemoryLinks, listWikiTitles, renameMemories, renameWikiLinks, titleKey } from './wiki-links.ts'

const titlesIn = (text: string) => listWikiTitles(text).map(({ title }) => title)

describe('titles that a text links to', () => {
  it.each([
    ['[[Title]]', ['Title']],
    ['[[Title|alias]] and [[Other#Heading]] and [[Third#Heading|alias]]', ['Title', 'Other', 'Third']],
    ['[[ spaced  title ]]', ['spaced  title']],
    ['![[Embedded]]', ['Embedded']],
    ['[[A]][[B]]', ['A', 'B']],
    ['[[[A]]]', ['A']],
    ['[[Straße]] [[STRASSE]] [[straße]]', ['Straße', 'STRASSE']],
    ['[[a b]] [[A  B]] [[Ａ b]]', ['a b']],
    ['[[Issue #12]] [[C# style]] [[C#]] [[# x]]', ['Issue #12', 'C# style', 'C#', '# x']],
    ['[[C# style#Naming]]', ['C# style']],
    ['日本語[[ノート]]です', ['ノート']],
    ['[[toString]] [[__proto__]]', ['toString', '__proto__']],
  ])('are found in %s', (text, titles) => {
    expect(titlesIn(text)).toEqual(titles)
  })

  it.each([
    '',
    '[[]]',
    '[[ ]]',
    '[[#Heading]]',
    '[[|alias]]',
    '[[open',
    'closed]]',
    '[[two\nlines]]',
    '[single]',
    '\\[[escaped]]',
    `[[${'x'.repeat(501)}]]`,
    '[[a]b]]',
  ])('are not found in %j', (text) => {
    expect(titlesIn(text)).toEqual([])
  })

  it.each([
    ['`[[A]]` [[B]]', ['B']],
    ['``[[A]] ` [[B]]`` [[C]]', ['C']],
    ['a ` stray [[A]]', ['A']],
    ['\\`[[A]]\\`', ['A']],
    ['```\n[[A]]\n```\n[[B]]', ['B']],
    ['```js\n[[A]]\n``\n[[B]]\n````\n[[C]]', ['C']],
    ['~~~\n[[A]]\n```\n[[B]]\n~~~\n[[C]]', ['C']],
    ['```\n[[A]] never closed', []],
    ['- item\n  ```\n  [[A]]\n  ```\n[[B]]', ['B']],
    ['> ```\n> [[A]]\n> ```\n[[B]]', ['B']],
    ['``` [[A]] ``` [[B]]', ['B']],
    ['`open\n[[A]]` [[B]]', ['B']],
    ['`open\n\n[[A]]` [[B]]', ['A', 'B']],
    ['    [[A]] is only indented', ['A']],
    ['[[A|`x`]] [[B#h|a `x` and ``y``]] `[[C]]`', ['A', 'B']],
    ['[[A|`x]] and [[B|y`]] [[C]]', ['C']],
    ['[[A`b|x`]] [[C]]', ['C']],
  ])('leave code out: %j', (text, titles) => {
    expect(titlesIn(text)).toEqual(titles)
  })

  const hostile = {
    brackets: '['.repeat(500_000),
    opened: '[[a'.repeat(170_000),
    pairs: '[[]]'.repeat(125_000),
    hashes: `[[${'#'.repeat(490_000)}]]`,
    backticks: Array.from({ length: 980 }, (_, n) => '`'.repeat(n)).join(' '),
    'single backticks': '` '.repeat(250_000),
    'open paragraphs': '`\n\n'.repeat(160_000),
    fences: '```\n'.repeat(125_000),
    backslashes: '\\'.repeat(499_000) + '[[a]]',
    lines: '> '.repeat(10) + '\n'.repeat(499_000),
    spaces: ' '.repeat(499_000) + '```',
  }

  it.each(Object.entries(hostile))('are found in linear time: %s', (_, text) => {
    const start = performance.now()
    titlesIn(text)
    renameWikiLinks(text, 'a', 'b')
    expect(performance.now() - start).toBeLessThan(1500)
  })
})

describe('renaming', () => {
  it('changes only titles, and keeps headings, aliases, spaces, code and other titles', () => {
    const text = '[[Old]] [[ old#H|x]] ![[OLD|y]] `[[Old]]` [[Older]] \\[[Old]]\n```\n[[Old]]\n```'
    expect(renameWikiLinks(text, titleKey('Old'), 'New $& one')).toBe(
      '[[New $& one]] [[ New $& one#H|x]] ![[New $& one|y]] `[[Old]]` [[Older]] \\[[Old]]\n```\n[[Old]]\n```',
    )
  })

  it('is rejected if the text would then link to something else', () => {
    for (const [text, title] of [
      ['[[Old#Intro]]', 'C#'],
      ['[[Old]] and `x`', 'a`b'],
      ['[[Old]] `x` [[B]]', 'a`b'],
      ['[[Old]]', 'a|b'],
    ] as const)
      expect(renameWikiLinks(text, 'old', title)).toBeUndefined()
    expect(renameWikiLinks('[[Old]] and [[B]]', 'old', 'C#')).toBe('[[C#]] and [[B]]')
    expect(renameWikiLinks('[[Old|x]]', 'old', 'a`b')).toBe('[[a`b|x]]')
    expect(renameWikiLinks('[[Other]]', 'old', 'a|b')).toBe('[[Other]]')
  })

  const piece = fc.constantFrom(
    '[[',
    ']]',
    '[',
    '`',
    '```',
    '\n',
    '\n\n',
    '|',
    '#',
    ' ',
    '\\',
    'Old',
    'a',
    'É',
    '> ',
    '- ',
  )
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  it('moves every link to the title and none of the others', () => {
    fc.assert(
      fc.property(text, (before) => {
        const after = renameWikiLinks(before, 'old', 'New') ?? 'not done'
        const expected = listWikiTitles(before).map(({ key }) => (key === 'old' ? 'new' : key))
        expect(listWikiTitles(after).map(({ key }) => key)).toEqual(expected)
        expect(renameWikiLinks(after, 'new', 'Old')?.toLowerCase()).toBe(before.toLowerCase())
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a title that links can name', () => {
  it.each(['Plain', 'Issue #12', 'C#', 'a/b: c & "d"', ' padded ', '日本語'])('is %j', (title) => {
    expect(isLinkable(title)).toBe(true)
  })
  it.each(['a|b', 'a#b', '#a', 'a]]b', '[[a', 'a]', 'two\nlines', '', ' ', 'x'.repeat(501), 'a\\'])(
    'is not %j',
    (title) => {
      expect(isLinkable(title)).toBe(title === 'a\\')
    },
  )
})

describe('memories that a text links to', () => {
  const id = '0198c5f0-0000-7000-8000-000000000101'
  const other = '0198c5f0-0000-7000-8000-000000000102'

  it('are named by their ids, outside of code', () => {
    const text = `[[memory:${id}|tabs]] [[Memory:${id}]] \`[[memory:${other}]]\` [[memory:tabs]] [[memory:${id}0]]`
    expect(listMemoryLinks(text)).toEqual([id])
    expect(listMemoryLinks(`[[ＭＥＭＯＲＹ：${id}]]`)).toEqual([id])
    expect([isLinkable(`memory:${id}`), isLinkable('memory:tabs')]).toEqual([false, true])
  })

  it('keep their aliases when the ids change', () => {
    const text = `a [[memory:${id}|tabs]] b [[ MEMORY:${id}#x ]] [[Title]] \`[[memory:${id}]]\``
    expect(renameMemories(text, () => other)).toBe(
      `a [[memory:${other}|tabs]] b [[ memory:${other}#x ]] [[Title]] \`[[memory:${id}]]\``,
    )
    expect(renameMemories(text, (same) => same)).toBe(text)
  })
})
