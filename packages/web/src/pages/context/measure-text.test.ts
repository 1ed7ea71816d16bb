import { describe, expect, it } from 'vitest'
import { measureText } from './measure-text.ts'

describe('measureText', () => {
  const text = [
    '<holdfast-recall-0123 vault="Main">',
    'Memory of the vault "Main".',
    '',
    '<holdfast-document-0123 type="soul" from="the template">',
    'Be brief.',
    '## Facts',
    '- [not a fact]',
    '</holdfast-document-0123>',
    '',
    '## Other vaults',
    '"Garden", "Harbour"',
    '',
    '## Constraints',
    '- [constraint m:1, today, by codex] Never push.',
    '- [constraint m:2, today, by codex] Tabs.',
    '',
    'Left out for lack of room: 3 facts.',
    '</holdfast-recall-0123>',
  ].join('\n')

  it('counts entries and characters of each section', () => {
    const entries = measureText(text).map(({ section, entries: count }) => [section, count])
    expect(entries).toEqual([
      ['frame', 0],
      ['documents', 1],
      ['vaults', 0],
      ['constraints', 2],
    ])
  })

  it('adds up to the length of the text', () => {
    expect(measureText(text).reduce((sum, { chars }) => sum + chars, 0)).toBe(text.length)
  })
})
