import { describe, expect, it } from 'vitest'
import { endOf, kindOf, nameOf } from './trash-state.ts'

describe('what is put away', () => {
  it('ends some days after it was, or never', () => {
    expect(endOf('2026-11-21T09:00:00.000Z', 30)).toBe('2026-12-21T09:00:00.000Z')
    expect([endOf('2026-11-21T09:00:00.000Z', null), endOf(null, 30)]).toEqual([null, null])
  })

  it('is called by its title, by how it begins, or by nothing', () => {
    const names = [
      nameOf({ title: 'A', preview: 'b' }),
      nameOf({ title: ' ', preview: 'b' }),
      nameOf({ title: '', preview: '' }),
    ]
    expect(names).toEqual(['A', 'b', 'Without words'])
  })

  it('is memories where the URL names nothing that is known', () => {
    expect([kindOf('tasks'), kindOf('rubbish')]).toEqual(['tasks', 'memories'])
  })
})
