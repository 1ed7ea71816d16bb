import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChangeNews } from './news.ts'
import { createNews } from './news.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ada = 'ada'
const ben = 'ben'
const vaultId = '0198c5f0-0000-7000-8000-000000000001'

/** A listener, and what it has received so far. */
function listenTo(news: ReturnType<typeof createNews>, userId: string, lastId?: string) {
  const told: ChangeNews[] = []
  const { missed, leave } = news.listen(userId, (one) => told.push(one), lastId)
  return { told, missed, leave, types: () => told.map(({ types }) => types) }
}

describe('news', () => {
  it('arrive within milliseconds, for all listeners of that user and no others', () => {
    const news = createNews(Date.now)
    const [one, two, stranger] = [listenTo(news, ada), listenTo(news, ada), listenTo(news, ben)]
    news.announce(ada, vaultId, ['memories'])
    vi.advanceTimersByTime(20)
    expect(one.told).toMatchObject([{ vaultId, types: ['memories'] }])
    expect(two.told).toEqual(one.told)
    expect(stranger.told).toEqual([])
  })

  it('are merged if there are many, and none is lost', () => {
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

  it("of agents' reads arrive at once and then every few seconds", () => {
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

  it('are sent on reconnect if they were missed, merged, but not if they were received', () => {
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

  it('are kept for a client that has read the latest id and subscribes a moment later', () => {
    const news = createNews(Date.now)
    const lastId = news.latestId(ada)
    news.announce(ada, vaultId, ['memories'])
    expect(news.followed()).toEqual([ada])
    vi.advanceTimersByTime(20)
    expect(listenTo(news, ada, lastId).missed).toMatchObject([{ vaultId, types: ['memories'] }])
    expect(listenTo(news, ada, news.latestId(ada)).missed).toEqual([])
  })

  it('say that missed changes are unknown for the id of another process, an old one, another user’s, or an invalid one', () => {
    const news = createNews(Date.now)
    const first = listenTo(news, ada)
    news.announce(ada, vaultId, ['memories'])
    vi.advanceTimersByTime(20)
    const lastId = first.told[0]?.id ?? ''
    expect(listenTo(news, ben, lastId).missed).toBeUndefined()
    for (const other of ['', 'x', `${lastId}9`, 'deadbeef-1']) expect(listenTo(news, ada, other).missed).toBeUndefined()
    expect(listenTo(createNews(Date.now), ada, lastId).missed).toBeUndefined()
  })

  it('are forgotten some minutes after the last listener has left', () => {
    const later = createNews(Date.now)
    const alone = listenTo(later, ada)
    later.announce(ada, vaultId, ['memories'])
    vi.advanceTimersByTime(20)
    alone.leave()
    vi.advanceTimersByTime(6 * 60_000)
    expect(listenTo(later, ada, alone.told[0]?.id).missed).toBeUndefined()
  })
})
