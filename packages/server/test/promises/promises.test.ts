import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { promises } from './promises.ts'
import { keyOf, readRecorded } from './record.ts'

const root = join(import.meta.dirname, '../../../..')
const proofs = promises.flatMap((promised) => promised.proofs)

/** Titles are texts in the source, in whichever quotes fit. */
const spellings = (title: string) => [`'${title}'`, `"${title}"`, `\`${title}\``]

/** A test may be in a function of the same folder, which its file calls. */
function readWithNeighbours(file: string): string {
  if (!existsSync(file)) return ''
  const text = readFileSync(file, 'utf8')
  const imported = Array.from(text.matchAll(/from '\.\/([\w-]+\.ts)'/g), ([, name = '']) => join(dirname(file), name))
  return [text, ...imported.map((path) => readFileSync(path, 'utf8'))].join('\n')
}

describe('the list of promises', () => {
  it('has all 34, each with what it takes to prove it', () => {
    expect(promises).toHaveLength(34)
    expect(new Set(promises.map(({ promise }) => promise)).size).toBe(34)
  })

  it('names tests that exist', () => {
    const unknown = proofs.filter(({ file, test }) => {
      const text = readWithNeighbours(join(root, file))
      return !spellings(test).some((spelling) => text.includes(spelling))
    })
    expect(unknown).toEqual([])
  })

  it('says what is missing wherever there is no test', () => {
    const empty = promises.filter((promised) => promised.proofs.length === 0 && promised.missing === undefined)
    expect(empty).toEqual([])
  })

  it('has recorded figures only of tests that it names', () => {
    const known = new Set(proofs.map(keyOf))
    expect(Object.keys(readRecorded()).filter((key) => !known.has(key))).toEqual([])
  })
})
