import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSet } from './labelled-set.ts'

function folderWith(corpus: object[], queries: object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-set-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  writeFileSync(join(folder, 'corpus.jsonl.gz'), gzipSync(lines(corpus)))
  writeFileSync(join(folder, 'queries.jsonl'), lines(queries))
  return folder
}

const query = { id: 'q', group: 'g', query: 'boat?', relevant: ['a'] }

describe('readSet', () => {
  it('reads plain and gzipped files, and adds defaults for omitted fields', () => {
    const item = { id: 'a', group: 'g', text: 'A boat' }
    const { items, questions } = readSet(folderWith([item], [query]))
    expect(items).toEqual([item])
    expect(questions).toEqual([{ ...query, areParents: false, kind: 'all', searches: 'memories', now: undefined }])
  })

  it('reads the category of other sets as the kind, and their conversations as relevant items', () => {
    const folder = folderWith([], [{ ...query, category: 'date', relevant_is: 'parent' }])
    expect(readSet(folder).questions[0]).toMatchObject({ kind: 'date', areParents: true })
  })

  it('searches notes if a vault has nothing else, memories if it has both, or what the question says', () => {
    const note = { id: 'n', group: 'notes', text: 'x', title: 'X' }
    const both = [
      { id: 'm', group: 'both', text: 'y' },
      { ...note, id: 'o', group: 'both' },
    ]
    const asked = ['notes', 'both'].map((group) => ({ ...query, id: group, group }))
    const folder = folderWith([note, ...both], [...asked, { ...query, id: 'said', group: 'both', in: 'notes' }])
    expect(readSet(folder).questions.map(({ searches }) => searches)).toEqual(['notes', 'memories', 'notes'])
  })
})
