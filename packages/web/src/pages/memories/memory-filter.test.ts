import { describe, expect, it } from 'vitest'
import { inputOf, memoryUrl } from './memory-filter.ts'

const vaultId = '0198c5f0-0000-7000-8000-000000000001'

describe('inputOf', () => {
  it('asks only for live memories by default', () => {
    expect(JSON.parse(JSON.stringify(inputOf(memoryUrl.defaults, vaultId)))).toEqual({
      vaultId,
      state: 'live',
      limit: 25,
      offset: 0,
    })
  })

  it('ignores unknown values', () => {
    const input = inputOf(memoryUrl.read({ type: 'nonsense', state: 'gone', sort: 'backwards', q: '  ' }), vaultId)
    expect(input).toMatchObject({ type: undefined, state: 'live', sort: undefined, q: undefined })
  })

  it('sends the chosen filters', () => {
    const chosen = {
      ...memoryUrl.defaults,
      q: ' tabs ',
      type: 'preference',
      importance: 4,
      neverRecalled: true,
      state: 'all',
    } as const
    expect(inputOf(chosen, vaultId)).toMatchObject({
      q: 'tabs',
      type: ['preference'],
      importanceMin: 4,
      neverRecalled: true,
      state: 'all',
    })
  })
})

describe('isFiltered', () => {
  it('is false for another order or page, and after the filter is cleared', () => {
    expect(memoryUrl.isFiltered({ ...memoryUrl.defaults, sort: 'oldest', offset: 25, state: 'all' })).toBe(false)
    const filtered = { ...memoryUrl.defaults, entity: 'Go' }
    expect(memoryUrl.isFiltered(filtered)).toBe(true)
    expect(memoryUrl.isFiltered({ ...filtered, ...memoryUrl.noFilter })).toBe(false)
  })
})
