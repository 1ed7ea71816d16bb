import { expect, it } from 'vitest'
import { lineAround, maxLineLength } from './line-around.ts'
import { findWikiLink, titleKey } from '@holdfast/transfer/text/wiki-links'

const around = (text: string, title: string) => {
  const place = findWikiLink(text, titleKey(title))
  return place && lineAround(text, place)
}

it('is the whole line of a short one, without the spaces around it', () => {
  expect(around('First line\n  See [[Ferns]] and moss. \nLast', 'ferns')).toBe('See [[Ferns]] and moss.')
  expect(around('[[Ferns]]', 'Ferns')).toBe('[[Ferns]]')
})

it('is found at the first link that is none of code, and nowhere without one', () => {
  expect(around('`[[Ferns]]` here\nand [[ferns|them]] there', 'Ferns')).toBe('and [[ferns|them]] there')
  expect(around('Ferns', 'Ferns')).toBeUndefined()
})

it('is what stands around the link in a long line, and parts no character', () => {
  for (let lead = 0; lead < 300; lead += 7) {
    const text = `${'🌿'.repeat(lead)} [[Ferns]] ${'🍂'.repeat(400)}`
    const line = around(text, 'Ferns') ?? ''
    expect(line.length).toBeLessThanOrEqual(maxLineLength)
    expect(line).toContain('[[Ferns]]')
    expect(line.isWellFormed()).toBe(true)
    expect(line.endsWith('…')).toBe(true)
  }
})
