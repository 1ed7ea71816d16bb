import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exists } from '../proof.ts'
import { asvs } from './asvs.ts'

const root = join(import.meta.dirname, '../../../../..')

/** Requirements of levels 1 and 2, as published in ASVS 5.0.0. */
const published: Record<string, readonly [level1: number, level2: number]> = {
  V1: [8, 19],
  V2: [4, 7],
  V3: [8, 11],
  V4: [2, 8],
  V5: [4, 5],
  V6: [13, 22],
  V7: [6, 12],
  V8: [4, 3],
  V9: [4, 3],
  V10: [5, 24],
  V11: [3, 11],
  V12: [3, 6],
  V13: [1, 12],
  V14: [2, 7],
  V15: [3, 10],
  V16: [0, 16],
  V17: [0, 7],
}

const all = asvs.flatMap(({ id, requirements }) =>
  Object.entries(requirements).map(([number, requirement]) => ({ chapter: id, number, ...requirement })),
)

const evidence = all.flatMap(({ answer }) => ('evidence' in answer ? answer.evidence : []))

/** Whether a place exists: a file, and for an anchor a heading of that name. */
function isPlace(place: string): boolean {
  const [path = '', anchor] = place.split('#')
  const file = join(root, path)
  if (!existsSync(file)) return false
  if (anchor === undefined) return true
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, text = '']) => anchorOf(text)).includes(anchor)
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

describe('the answers to OWASP ASVS', () => {
  it('are for all 253 requirements of levels 1 and 2, chapter by chapter as published', () => {
    const counted = asvs.map(({ id, requirements }) => {
      const levels = Object.values(requirements).map(({ level }) => level)
      return [id, [levels.filter((level) => level === 1).length, levels.filter((level) => level === 2).length]]
    })
    expect(Object.fromEntries(counted)).toEqual(published)
    expect(all).toHaveLength(253)
  })

  it('are under numbers of their chapter, in order', () => {
    expect(all.filter(({ chapter, number }) => !number.startsWith(`${chapter.slice(1)}.`))).toEqual([])
    const rank = (number: string) => number.split('.').reduce((sum, part) => sum * 100 + Number(part), 0)
    const ranks = all.map(({ number }) => rank(number))
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  })

  it('name tests that exist', () => {
    expect(evidence.filter((one) => typeof one !== 'string' && !exists(one))).toEqual([])
  })

  it('name places that exist', () => {
    expect(evidence.filter((one) => typeof one === 'string' && !isPlace(one))).toEqual([])
  })

  it('have evidence if a requirement is met, and a reason otherwise', () => {
    const bare = all.filter(
      ({ answer }) => answer.why === '' || (answer.state === 'met' && answer.evidence.length === 0),
    )
    expect(bare).toEqual([])
  })
})
