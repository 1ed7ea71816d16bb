import { describe, expect, it } from 'vitest'
import { inputOf, memoryUrl } from './memory-filter.ts'

const vaultId = '0198c5f0-0000-7000-8000-000000000001'

describe('inputOf', () => {
  it('asks for live memories alone where nothing is chosen', () => {
    expect(JSON.parse(JSON.stringify(inputOf(memoryUrl.defaults, vaultId)))).toEqual({
      vaultId,
      state: 'live',
      limit: 25,
      offset: 0,
    })
  })

  it('leaves out what the server does not know', () => {
    const input = inputOf(memoryUrl.read({ type: 'nonsense', state: 'gone', sort: 'backwards', q: '  ' }), vaultId)
    expect(input).toMatchObject({ type: undefined, state: 'live', sort: undefined, q: undefined })
  })

  it('asks for what is chosen', () => {
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
  it('is false for another order or page, and after the filter is taken off', () => {
    expect(memoryUrl.isFiltered({ ...memoryUrl.defaults, sort: 'oldest', offset: 25, state: 'all' })).toBe(false)
    const narrowed = { ...memoryUrl.defaults, entity: 'Go' }
    expect(memoryUrl.isFiltered(narrowed)).toBe(true)
    expect(memoryUrl.isFiltered({ ...narrowed, ...memoryUrl.noFilter })).toBe(false)
  })
})
