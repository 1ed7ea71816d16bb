import { describe, expect, it } from 'vitest'
import { inputOf, isNarrowed, shown, withoutFilter } from './memory-filter.ts'

const vaultId = '0198c5f0-0000-7000-8000-000000000001'

describe('inputOf', () => {
  it('asks for live memories alone where nothing is chosen', () => {
    expect(JSON.parse(JSON.stringify(inputOf(shown, vaultId)))).toEqual({
      vaultId,
      state: 'live',
      limit: 25,
      offset: 0,
    })
  })

  it('leaves out what the server does not know', () => {
    const input = inputOf({ ...shown, type: 'nonsense', state: 'gone', sort: 'backwards', q: '  ' }, vaultId)
    expect(input).toMatchObject({ type: undefined, state: 'live', sort: undefined, q: undefined })
  })

  it('asks for what is chosen', () => {
    const chosen = { ...shown, q: ' tabs ', type: 'preference', importance: 4, neverRecalled: true, state: 'all' }
    expect(inputOf(chosen, vaultId)).toMatchObject({
      q: 'tabs',
      type: ['preference'],
      importanceMin: 4,
      neverRecalled: true,
      state: 'all',
    })
  })
})

describe('isNarrowed', () => {
  it('is false for another order or page, and after the filter is taken off', () => {
    expect(isNarrowed({ ...shown, sort: 'oldest', offset: 25, state: 'all' })).toBe(false)
    const narrowed = { ...shown, entity: 'Go' }
    expect(isNarrowed(narrowed)).toBe(true)
    expect(isNarrowed({ ...narrowed, ...withoutFilter })).toBe(false)
  })
})
