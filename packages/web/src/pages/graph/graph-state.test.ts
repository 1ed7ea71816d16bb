import { describe, expect, it } from 'vitest'
import { inputOf, graphUrl } from './graph-state.ts'

const vaultId = '0198c5f0-0000-7000-8000-000000000001'
const asked = (search: Readonly<Record<string, unknown>>) =>
  JSON.parse(JSON.stringify(inputOf(graphUrl.read(search), vaultId))) as object

describe('inputOf', () => {
  it('queries the most connected nodes, or the nodes around one', () => {
    expect(asked({})).toEqual({ vaultId, entities: true, limit: 60 })
    expect(asked({ count: 5_000 })).toMatchObject({ limit: 200 })
    expect(asked({ from: 'a', depth: 9 })).toEqual({ vaultId, entities: true, nodeId: 'a', depth: 5, limit: 200 })
  })

  it('uses local days, including all of the last one', () => {
    const one = new Date('2026-11-21T00:00').toISOString()
    const next = new Date('2026-11-22T00:00').toISOString()
    expect(asked({ since: '2026-11-21', until: '2026-11-21' })).toMatchObject({ since: one, until: next })
  })

  it('leaves out values that the server does not accept', () => {
    expect(asked({ type: 'nonsense', relation: 'knows', since: 'yesterday', until: '2026-13-45' })).toEqual({
      vaultId,
      entities: true,
      limit: 60,
    })
  })
})

describe('isFiltered', () => {
  it('is false for another start node or view, and after the filter is cleared', () => {
    expect(graphUrl.isFiltered({ ...graphUrl.defaults, from: 'a', depth: 3, view: 'table', offset: 25 })).toBe(false)
    const narrowed = { ...graphUrl.defaults, archived: true }
    expect(graphUrl.isFiltered(narrowed)).toBe(true)
    expect(graphUrl.isFiltered({ ...narrowed, ...graphUrl.noFilter })).toBe(false)
  })
})
