import { describe, expect, it } from 'vitest'
import { deletionTime, nameOf, trashUrl } from './trash-state.ts'

describe('records in the trash', () => {
  it('are deleted some days after they were archived, or never', () => {
    expect(deletionTime('2026-11-21T09:00:00.000Z', 30)).toBe('2026-12-21T09:00:00.000Z')
    expect([deletionTime('2026-11-21T09:00:00.000Z', null), deletionTime(null, 30)]).toEqual([null, null])
  })

  it('are named by their title or the start of their text', () => {
    const names = [
      nameOf({ title: 'A', preview: 'b' }),
      nameOf({ title: ' ', preview: 'b' }),
      nameOf({ title: '', preview: '' }),
    ]
    expect(names).toEqual(['A', 'b', 'Untitled'])
  })

  it('are memories if the URL names an unknown kind', () => {
    expect(['tasks', 'rubbish'].map((show) => trashUrl.read({ show }).show)).toEqual(['tasks', 'memories'])
  })
})
