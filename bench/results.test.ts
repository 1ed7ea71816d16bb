import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keepResults } from './results.ts'

/** A folder with a page that has the marks for two benchmarks. */
function makeDocs() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const page = join(folder, 'benchmarks.md')
  const marks = (name: string) => `<!-- ${name} -->\n\n<!-- end of ${name} -->\n`
  writeFileSync(
    page,
    `# Benchmarks\n\n${marks('in ten seconds')}\n${marks('results of growth')}\n${marks('results of b')}\nEnd.\n`,
  )
  return { folder, read: () => readFileSync(page, 'utf8') }
}

const rowsIn = (page: string) =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, what, figure]) => [what, figure])

describe('keepResults', () => {
  it('replaces the text between the marks, and nothing else', () => {
    const { folder, read } = makeDocs()
    keepResults(folder, { name: 'results of growth', text: 'First.' })
    keepResults(folder, { name: 'results of b', text: 'Other.' })
    keepResults(folder, { name: 'results of growth', text: 'Second.' })
    expect(read()).toMatch(/^# Benchmarks\n/)
    expect(read()).toContain('<!-- results of growth -->\n\nSecond.\n\n<!-- end of results of growth -->')
    expect(read()).toContain('Other.')
    expect(read()).not.toContain('First.')
    expect(read()).toMatch(/\nEnd\.\n$/)
  })

  it('replaces the rows of a benchmark in the summary, and keeps those of others in their order', () => {
    const { folder, read } = makeDocs()
    keepResults(folder, {
      name: 'results of growth',
      text: '',
      summary: [
        ['A search', '1 ms'],
        ['A write', '2 ms'],
      ],
    })
    keepResults(folder, { name: 'results of b', text: '', summary: [['A start', '300 ms']] })
    keepResults(folder, { name: 'results of growth', text: '', summary: [['A search', '4 ms, or less']] })
    expect(rowsIn(read())).toEqual([
      ['A search', '4 ms, or less'],
      ['A write', '2 ms'],
      ['A start', '300 ms'],
    ])
  })

  it('writes plots where the site finds its images', () => {
    const { folder } = makeDocs()
    keepResults(folder, { name: 'results of b', text: '', plots: { 'b.svg': '<svg/>' } })
    expect(readFileSync(join(folder, 'images', 'plots', 'b.svg'), 'utf8')).toBe('<svg/>')
  })

  it('throws if the page has no marks of that name', () => {
    const { folder } = makeDocs()
    expect(() => keepResults(folder, { name: 'results of c', text: '' })).toThrow('no marks for the results of c')
  })
})
