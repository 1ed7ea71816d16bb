import { describe, expect, it } from 'vitest'
import { titleOf } from './memory.ts'

const titled = (content: string, summary?: string) => titleOf({ content, head: { summary } })

describe('the title of a memory', () => {
  it('is its summary, or the first line of its content', () => {
    expect(titled('First line.\nSecond line.')).toBe('First line.')
    expect(titled('First line.', 'In short\r\nand more')).toBe('In short')
    expect(titled(' \n\n  Indented \t\r\nnext')).toBe('Indented')
    expect(titled(' \n ')).toBe('')
  })

  it('has at most 200 characters and splits no surrogate pair', () => {
    expect(titled('x'.repeat(200))).toBe('x'.repeat(200))
    expect(titled('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`)
    expect(titled(`${'x'.repeat(198)}😀😀`)).toBe(`${'x'.repeat(198)}…`)
    expect(titled('\n'.repeat(100_000))).toBe('')
  })
})
