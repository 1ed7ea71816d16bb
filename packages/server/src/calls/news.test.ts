import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChangeNews } from './news.ts'
import { createNews } from './news.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ada = 'ada'
const ben = 'ben'
const vaultId = '0198c5f0-0000-7000-8000-000000000001'

/** Of one listener, what it was told so far. */
function listenTo(news: ReturnType<typeof createNews>, userId: string, lastId?: string) {
  const told: ChangeNews[] = []
  const { missed, leave } = news.listen(userId, (one) => told.push(one), lastId)
  return { told, missed, leave, types: () => told.map(({ types }) => types) }
}

describe('news', () => {
  it('come within milliseconds, to all who listen for that person and to nobody else', () => {
    const news = createNews(Date.now)
    const [one, two, stranger] = [listenTo(news, ada), listenTo(news, ada), listenTo(news, ben)]
    news.announce(ada, vaultId, ['memories'])
    vi.advanceTimersByTime(20)
    expect(one.told).toMatchObject([{ vaultId, types: ['memories'] }])
    expect(two.told).toEqual(one.told)
    expect(stranger.told).toEqual([])
  })

  it('of many changes are few, and none is left out', () => {
    const news = createNews(Date.now)
    const one = listenTo(news, ada)
    for (let at = 0; at < 300; at++) {
      news.announce(ada, vaultId, at === 299 ? ['memories', 'links'] : ['memories'])
      vi.advanceTimersByTime(10)
    }
    vi.advanceTimersByTime(1000)
    expect(one.told.length).toBeLessThan(9)
    expect(one.types().at(-1)).toContain('links')
  })

  it("of agents' reads come at once and then every few seconds", () => {
    const news = createNews(Date.now)
    const one = listenTo(news, ada)
    for (let at = 0; at < 100; at++) {
      news.announceCall(ada)
      vi.advanceTimersByTime(100)
    }
    expect(one.types()).toEqual([
      ['agents', 'runs'],
      ['agents', 'runs'],
    ])
    vi.advanceTimersByTime(5000)
    expect(one.told).toHaveLength(3)
  })

  it('that were missed are told on return, joined, and those that were heard are not', () => {
    const news = createNews(Date.now)
    const first = listenTo(news, ada)
    news.announce(ada, vaultId, ['memories'])
    vi.advanceTimersByTime(20)
    first.leave()
    for (const types of [['tasks'], ['notes'], ['tasks']] as const) {
      news.announce(ada, vaultId, types)
      vi.advanceTimersByTime(1000)
    }
    const back = listenTo(news, ada, first.told[0]?.id)
    expect(back.missed?.map(({ types }) => types)).toEqual([['tasks', 'notes']])
    expect(listenTo(news, ada, back.missed?.at(-1)?.id).missed).toEqual([])
  })

  it('are kept for whoever has asked where they stand and listens a moment later', () => {
    const news = createNews(Date.now)
    const lastId = news.latestId(ada)
    news.announce(ada, vaultId, ['memories'])
    expect(news.followed()).toEqual([ada])
    vi.advanceTimersByTime(20)
    expect(listenTo(news, ada, lastId).missed).toMatchObject([{ vaultId, types: ['memories'] }])
    expect(listenTo(news, ada, news.latestId(ada)).missed).toEqual([])
  })

  it('say that they cannot tell what was missed: of another process, of too long ago, of another person, of nonsense', () => {
    const news = createNews(Date.now)
    const first = listenTo(news, ada)
    news.announce(ada, vaultId, ['memories'])
    vi.advanceTimersByTime(20)
    const lastId = first.told[0]?.id ?? ''
    expect(listenTo(news, ben, lastId).missed).toBeUndefined()
    for (const other of ['', 'x', `${lastId}9`, 'deadbeef-1']) expect(listenTo(news, ada, other).missed).toBeUndefined()
    expect(listenTo(createNews(Date.now), ada, lastId).missed).toBeUndefined()
  })

  it('are forgotten some minutes after the last one has left', () => {
    const later = createNews(Date.now)
    const alone = listenTo(later, ada)
    later.announce(ada, vaultId, ['memories'])
    vi.advanceTimersByTime(20)
    alone.leave()
    vi.advanceTimersByTime(6 * 60_000)
    expect(listenTo(later, ada, alone.told[0]?.id).missed).toBeUndefined()
  })
})
