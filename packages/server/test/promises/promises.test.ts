import { describe, expect, it } from 'vitest'
import { promises } from './promises.ts'
import { exists } from './proof.ts'
import { keyOf, readRecorded } from './record.ts'

const proofs = promises.flatMap((promised) => promised.proofs)

describe('the list of promises', () => {
  it('has all 36, each with what it takes to prove it', () => {
    expect(promises).toHaveLength(36)
    expect(new Set(promises.map(({ promise }) => promise)).size).toBe(36)
  })

  it('names tests that exist', () => {
    expect(proofs.filter((proof) => !exists(proof))).toEqual([])
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
