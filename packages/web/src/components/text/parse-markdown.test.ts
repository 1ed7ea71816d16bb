import { describe, expect, it } from 'vitest'
import { parseInline } from './parse-inline.ts'
import { parseMarkdown } from './parse-markdown.ts'

const text = (of: string) => ({ kind: 'text', text: of })

describe('parseMarkdown', () => {
  it('reads headings, paragraphs, rules and code', () => {
    expect(parseMarkdown('# Title #\nOne\ntwo\n\n---\n```ts\n# no heading\n```\nend')).toEqual([
      { kind: 'heading', level: 1, text: 'Title' },
      { kind: 'paragraph', text: 'One\ntwo' },
      { kind: 'rule' },
      { kind: 'code', text: '# no heading' },
      { kind: 'paragraph', text: 'end' },
    ])
  })

  it('reads lists inside of lists, with boxes', () => {
    const [list] = parseMarkdown('- [x] one\n  - deeper\n\n- [ ] two')
    expect(list).toMatchObject({
      kind: 'list',
      items: [
        { isDone: true, blocks: [{ kind: 'paragraph', text: 'one' }, { kind: 'list' }] },
        { isDone: false, blocks: [{ kind: 'paragraph', text: 'two' }] },
      ],
    })
  })

  it('keeps the number that a list begins with', () => {
    expect(parseMarkdown('3. c\n4. d')).toMatchObject([{ isOrdered: true, start: 3, items: [{}, {}] }])
  })

  it('reads quotes and tables, and fills rows that are too short', () => {
    expect(parseMarkdown('> said\n\n| a | b |\n|---|---|\n| 1 |')).toEqual([
      { kind: 'quote', blocks: [{ kind: 'paragraph', text: 'said' }] },
      { kind: 'table', heads: ['a', 'b'], rows: [['1', '']] },
    ])
  })

  it('takes code that nothing closes to the end', () => {
    expect(parseMarkdown('~~~\na\n\nb')).toEqual([{ kind: 'code', text: 'a\n\nb' }])
  })

  it('reads what goes too deep as text', () => {
    for (const deep of ['> ', '+ ', '1. '])
      expect(JSON.stringify(parseMarkdown(deep.repeat(20_000)))).toContain(deep.repeat(9))
  })

  it('takes tables of more columns than anybody reads, and rows behind so many, as text', () => {
    const rule = '|-'.repeat(101)
    expect(parseMarkdown(`${'|a'.repeat(101)}\n${rule}\n|b`)).toMatchObject([{ kind: 'paragraph' }])
    const [table, rest] = parseMarkdown(`${'|a'.repeat(100)}\n${rule}\n${'|b\n'.repeat(300)}`)
    expect(table).toMatchObject({ kind: 'table', rows: { length: 199 } })
    expect(rest).toMatchObject({ kind: 'paragraph' })
  })

  it('takes the marks behind a heading off it, and no others', () => {
    const read = ['# a #', '# a # b  ##\t', '# C#', '#', '## ##', '###x'].map((line) => parseMarkdown(line)[0])
    expect(read).toMatchObject([
      { text: 'a' },
      { text: 'a # b' },
      { text: 'C#' },
      { text: '' },
      { text: '' },
      { kind: 'paragraph' },
    ])
  })
})

describe('parseInline', () => {
  it('reads marks inside of marks', () => {
    expect(parseInline('a **b *c* `d`** ~~e~~')).toEqual([
      text('a '),
      {
        kind: 'strong',
        parts: [text('b '), { kind: 'emphasis', parts: [text('c')] }, text(' '), { kind: 'code', text: 'd' }],
      },
      text(' '),
      { kind: 'strike', parts: [text('e')] },
    ])
  })

  it('leaves names with underscores, products and escaped marks alone', () => {
    expect(parseInline('max_retry_count is 2 * 3 * 4')).toEqual([text('max_retry_count is 2 * 3 * 4')])
    expect(parseInline('\\*no\\*')).toEqual([text('*'), text('no'), text('*')])
  })

  it('links pages and letters alone', () => {
    expect(parseInline('[x](https://a.example/b)')).toMatchObject([{ kind: 'link', href: 'https://a.example/b' }])
    expect(parseInline('[x](javascript:alert(1))')).not.toContainEqual(expect.objectContaining({ kind: 'link' }))
    expect(parseInline('[x](data:text/html,hi)')).toEqual([text('[x](data:text/html,hi)')])
  })

  it('leaves the stop at the end of a sentence out of an address', () => {
    expect(parseInline('See https://a.example/b.')).toEqual([
      text('See '),
      { kind: 'link', href: 'https://a.example/b', parts: [text('https://a.example/b')] },
      text('.'),
    ])
  })

  it('tells of images without their address', () => {
    expect(parseInline('![a cat](https://a.example/cat.png)')).toEqual([{ kind: 'image', alt: 'a cat' }])
  })
})
