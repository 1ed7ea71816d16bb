import { describe, expect, it } from 'vitest'
import { describeUrl, oneOf } from './url-state.ts'

const url = describeUrl(
  { offset: 0, q: '', new: false, sort: oneOf(['newest', 'oldest'], ''), state: oneOf(['live', 'all'], 'live') },
  { filters: ['q', 'sort'] },
)

describe('the state of a page in its URL', () => {
  it('is read by the types of its defaults, and ignores invalid values', () => {
    expect(url.read({ offset: 40, q: 7, new: true })).toEqual({
      offset: 40,
      q: '7',
      new: true,
      sort: '',
      state: 'live',
    })
    expect(url.read({ offset: 'many', q: ['x'], new: 'yes' })).toEqual(url.defaults)
  })

  it('reads an unknown choice as the default', () => {
    expect(url.read({ sort: 'oldest', state: 'all' })).toMatchObject({ sort: 'oldest', state: 'all' })
    expect(url.read({ sort: 'backwards', state: 1 })).toEqual(url.defaults)
  })

  it('omits default values, and keeps unknown parameters', () => {
    expect(url.write({ tab: 'links', offset: 20 }, { offset: 0, q: 'boat' })).toEqual({ tab: 'links', q: 'boat' })
    expect(url.write({ new: true }, { new: false })).toEqual({})
  })

  it('is filtered only by its filters, until they are removed', () => {
    expect(url.isFiltered({ ...url.defaults, offset: 25, state: 'all' })).toBe(false)
    const filtered = { ...url.defaults, q: 'boat', offset: 25 }
    expect(url.isFiltered(filtered)).toBe(true)
    expect({ ...filtered, ...url.noFilter }).toEqual(url.defaults)
  })
})
