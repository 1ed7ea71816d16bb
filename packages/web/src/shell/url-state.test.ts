import { describe, expect, it } from 'vitest'
import { readUrlState, writeUrlState } from './url-state.ts'

const defaults = { offset: 0, q: '', new: false }

describe('the state of a page in its URL', () => {
  it('is read by the types of its defaults, and ignores invalid values', () => {
    expect(readUrlState({ offset: 40, q: 7, new: true }, defaults)).toEqual({ offset: 40, q: '7', new: true })
    expect(readUrlState({ offset: 'many', q: ['x'], new: 'yes' }, defaults)).toEqual(defaults)
  })

  it('omits default values, and keeps unknown parameters', () => {
    expect(writeUrlState({ tab: 'links', offset: 20 }, { offset: 0, q: 'boat' }, defaults)).toEqual({
      tab: 'links',
      q: 'boat',
    })
    expect(writeUrlState({ new: true }, { new: false }, defaults)).toEqual({})
  })
})
