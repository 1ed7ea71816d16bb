import { describe, expect, it } from 'vitest'
import { plainText, readMarkdown, textOf, type Inline } from './read-markdown.ts'

const text = (of: string) => ({ kind: 'text', text: of })
const paragraph = (of: string) => ({ kind: 'paragraph', parts: [text(of)] })
const code = (of: string) => ({ kind: 'code', text: of })

/** The content of a text's first block. */
function inlineOf(markdown: string): Inline[] {
  const [block] = readMarkdown(markdown)
  return block !== undefined && 'parts' in block ? block.parts : []
}

/** The cells of a table's only row. */
function cellsOf(row: string, heads = '| a | b |\n|---|---|'): Inline[][] {
  const [block] = readMarkdown(`${heads}\n${row}`)
  return block?.kind === 'table' ? (block.rows[0] ?? []) : []
}

describe('blocks', () => {
  it('reads headings, paragraphs, rules and code', () => {
    expect(readMarkdown('# Title #\nOne\ntwo\n\n---\n```ts\n# no heading\n```\nend')).toEqual([
      { kind: 'heading', level: 1, from: 0, parts: [text('Title')] },
      paragraph('One\ntwo'),
      { kind: 'rule' },
      code('# no heading'),
      paragraph('end'),
    ])
  })

  it('reads headings that are underlined', () => {
    expect(readMarkdown('Title\n=====\nSection\n---\nend')).toEqual([
      { kind: 'heading', level: 1, from: 0, parts: [text('Title')] },
      { kind: 'heading', level: 2, from: 12, parts: [text('Section')] },
      paragraph('end'),
    ])
  })

  it('reads lists inside lists, with checkboxes', () => {
    const [list] = readMarkdown('- [x] one\n  - deeper\n\n- [ ] two')
    expect(list).toMatchObject({
      kind: 'list',
      items: [
        { isDone: true, blocks: [paragraph('one'), { kind: 'list' }] },
        { isDone: false, blocks: [paragraph('two')] },
      ],
    })
  })

  it('keeps the first number of a list', () => {
    expect(readMarkdown('3. c\n4. d')).toMatchObject([{ isOrdered: true, start: 3, items: [{}, {}] }])
  })

  it('reads code inside lists and quotes without their marks', () => {
    expect(readMarkdown('- a\n\n  ```\n  x\n    y\n  ```')).toMatchObject([
      { items: [{ blocks: [paragraph('a'), code('x\n  y')] }] },
    ])
    expect(readMarkdown('> one\n> two\n> ```\n> x\n> ```')).toEqual([
      { kind: 'quote', blocks: [paragraph('one\ntwo'), code('x')] },
    ])
  })

  it('reads quotes and tables, and fills rows that are too short', () => {
    expect(readMarkdown('> said\n\n| a | b |\n|---|---|\n| 1 |')).toEqual([
      { kind: 'quote', blocks: [paragraph('said')] },
      { kind: 'table', heads: [[text('a')], [text('b')]], rows: [[[text('1')], []]] },
    ])
  })

  it('reads escaped bars, bars in code, and empty cells', () => {
    expect(cellsOf('| x \\| y | z |').map(textOf)).toEqual(['x | y', 'z'])
    expect(cellsOf('| `p|q` | z |')).toEqual([[code('p|q')], [text('z')]])
    expect(cellsOf('| `p\\|q` | z |')).toEqual([[code('p|q')], [text('z')]])
    expect(cellsOf('|  | z |').map(textOf)).toEqual(['', 'z'])
    expect(cellsOf('a | z').map(textOf)).toEqual(['a', 'z'])
  })

  it('reads code without an end up to the end of the text', () => {
    expect(readMarkdown('~~~\na\n\nb')).toEqual([code('a\n\nb')])
  })

  it('shows blocks that are nested too deeply as text', () => {
    for (const deep of ['> ', '+ ', '1. '])
      expect(JSON.stringify(readMarkdown(deep.repeat(20_000)))).toContain(deep.repeat(9))
  })

  it('shows very wide tables, and the rows after very many, as text', () => {
    const rule = '|-'.repeat(101)
    expect(readMarkdown(`${'|a'.repeat(101)}\n${rule}\n|b`)).toMatchObject([{ kind: 'paragraph' }])
    const [table, rest] = readMarkdown(`${'|a'.repeat(100)}\n${'|-'.repeat(100)}\n${'|b\n'.repeat(300)}`)
    expect(table).toMatchObject({ kind: 'table', rows: { length: 199 } })
    expect(rest).toMatchObject({ kind: 'paragraph' })
  })

  it('removes the closing marks of a heading, and no others', () => {
    const read = ['# a #', '# a # b  ##\t', '# C#', '#', '## ##', '###x'].map((line) => readMarkdown(line)[0])
    expect(read).toMatchObject([
      { kind: 'heading', parts: [text('a')] },
      { kind: 'heading', parts: [text('a # b')] },
      { kind: 'heading', parts: [text('C#')] },
      { kind: 'heading', parts: [] },
      { kind: 'heading', parts: [] },
      { kind: 'paragraph' },
    ])
  })

  it('shows HTML as written, and reads the Markdown around it', () => {
    expect(readMarkdown('<details>\n**x** <b onclick="y">')).toEqual([
      {
        kind: 'paragraph',
        parts: [text('<details>\n'), { kind: 'strong', parts: [text('x')] }, text(' <b onclick="y">')],
      },
    ])
  })
})

describe('inside a line', () => {
  it('reads marks inside marks', () => {
    expect(inlineOf('a **b *c* `d`** ~~e~~')).toEqual([
      text('a '),
      { kind: 'strong', parts: [text('b '), { kind: 'emphasis', parts: [text('c')] }, text(' '), code('d')] },
      text(' '),
      { kind: 'strike', parts: [text('e')] },
    ])
    expect(inlineOf('*a **b** c*')).toEqual([
      { kind: 'emphasis', parts: [text('a '), { kind: 'strong', parts: [text('b')] }, text(' c')] },
    ])
    expect(inlineOf('***both***')).toEqual([{ kind: 'emphasis', parts: [{ kind: 'strong', parts: [text('both')] }] }])
  })

  it('does not change names with underscores, products, entities of HTML and escaped marks', () => {
    expect(inlineOf('max_retry_count is 2 * 3 * 4')).toEqual([text('max_retry_count is 2 * 3 * 4')])
    expect(inlineOf('\\*no\\*')).toEqual([text('*no*')])
    expect(inlineOf('AT&amp;T &lt;b&gt; &unknown;')).toEqual([text('AT&T <b> &unknown;')])
  })

  it('reads hard line breaks', () => {
    const broken = [text('a'), { kind: 'break' }, text('b')]
    expect(inlineOf('a\\\nb')).toEqual(broken)
    expect(inlineOf('a  \nb')).toEqual(broken)
  })

  it('links web pages and mail addresses only', () => {
    expect(inlineOf('[x](https://a.example/b)')).toMatchObject([{ kind: 'link', href: 'https://a.example/b' }])
    expect(inlineOf('<mailto:a@b.example> a@b.example')).toMatchObject([
      { kind: 'link', href: 'mailto:a@b.example' },
      text(' '),
      { kind: 'link', href: 'mailto:a@b.example' },
    ])
    for (const href of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,hi',
      '/settings',
      '//a.example',
    ]) {
      expect(textOf(inlineOf(`[x](${href})`))).toBe(`[x](${href})`)
      expect(JSON.stringify(inlineOf(`[x](${href}) <${href}> [y]\n\n[y]: ${href}`))).not.toContain('"link"')
    }
  })

  it('reads brackets in addresses', () => {
    expect(inlineOf('[w](https://en.wikipedia.org/wiki/A_(b))')).toEqual([
      { kind: 'link', href: 'https://en.wikipedia.org/wiki/A_(b)', parts: [text('w')] },
    ])
  })

  it('reads reference links, and shows those without an address as written', () => {
    const link = { kind: 'link', href: 'https://a.example/' }
    const definition = '\n\n[The  Plan]: https://a.example/ "a plan"'
    expect(inlineOf(`[x][the plan]${definition}`)).toEqual([{ ...link, parts: [text('x')] }])
    expect(inlineOf(`[the plan][]${definition}`)).toEqual([{ ...link, parts: [text('the plan')] }])
    expect(inlineOf(`[the plan]${definition}`)).toEqual([{ ...link, parts: [text('the plan')] }])
    expect(readMarkdown(`a${definition}`)).toEqual([paragraph('a')])
    expect(inlineOf('a[1] and [*x*][y]')).toEqual([
      text('a[1] and ['),
      { kind: 'emphasis', parts: [text('x')] },
      text('][y]'),
    ])
  })

  it('leaves the period after an address out of the link', () => {
    expect(inlineOf('See https://a.example/b.')).toEqual([
      text('See '),
      { kind: 'link', href: 'https://a.example/b', parts: [text('https://a.example/b')] },
      text('.'),
    ])
  })

  it('describes images without their address', () => {
    expect(inlineOf('![a cat](https://a.example/cat.png)')).toEqual([{ kind: 'image', alt: 'a cat' }])
  })

  it('shows links to notes by their alias or title', () => {
    expect(inlineOf('[[Runbook]] ![[Plan|the plan]]')).toEqual([
      { kind: 'wiki', target: 'Runbook', text: 'Runbook' },
      text(' '),
      { kind: 'wiki', target: 'Plan', text: 'the plan' },
    ])
  })
})

describe('plainText', () => {
  it('removes the marks and puts everything into one line', () => {
    expect(plainText('May **I** change\n`route 7`, see [the *plan*](https://example.org) and [[Runbook]]?')).toBe(
      'May I change route 7, see the plan and Runbook?',
    )
    expect(plainText('2 * 3 < 7 and <b>no markup</b>')).toBe('2 * 3 < 7 and <b>no markup</b>')
    expect(plainText('# Plan')).toBe('Plan')
  })
})
