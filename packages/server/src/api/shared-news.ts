import { changeTypes, type ChangeType } from '../calls/call.ts'
import type { ChangeNews, News } from '../calls/news.ts'
import type { Log } from '../core/log.ts'
import type { Reader } from '../db/dialect.ts'
import { isMember, listMemberships } from '../vaults/member-store.ts'

/**
 * News of the vaults that others share with a person, for one of their streams. Each piece is passed on only if the person is still a member
 * at that moment, whichever server removed them.
 */
export interface SharedNews {
  /** Tells that everything in these vaults may have changed, since the numbers of others' news mean nothing to the listener, and follows them. */
  begin(): void
  /** Follows the vaults that are shared with the person now. Call after their own news of type `vaults`. */
  follow(): void
  leave(): void
}

interface Deps {
  db: Reader
  news: News
  log: Log
}

/** Messages stay with the owner: members can read none, and needn't know when some are sent. */
const isShared = (type: ChangeType): boolean => type !== 'messages'

export function createSharedNews(
  { db, news, log }: Deps,
  memberId: string,
  tell: (one: ChangeNews) => void,
): SharedNews {
  /** By owner: their news contains that of all their vaults, so each piece is looked up. */
  const followed = new Map<string, () => void>()
  let hasLeft = false

  // A reconnect continues after the listener's own news.
  const pass = (vaultId: string, types: ChangeNews['types']) => tell({ id: news.latestId(memberId), vaultId, types })

  async function passOn({ vaultId, types: all }: ChangeNews): Promise<void> {
    const types = all.filter(isShared)
    if (vaultId === null || types.length === 0) return
    if ((await isMember(db, memberId, vaultId)) && !hasLeft) pass(vaultId, types)
  }

  /** If the store can't be asked, nothing is passed on. */
  const inBackground = (work: Promise<void>) =>
    void work.catch((error: unknown) => log.debug('a member could not be looked up', { error }))

  async function follow(onShared: (vaultId: string) => void): Promise<void> {
    const memberships = await listMemberships(db, memberId)
    if (hasLeft) return
    const owners = new Set(memberships.map(({ userId }) => userId))
    for (const [ownerId, leave] of followed) {
      if (owners.has(ownerId)) continue
      leave()
      followed.delete(ownerId)
    }
    for (const ownerId of owners)
      if (!followed.has(ownerId))
        followed.set(ownerId, news.listen(ownerId, (one) => inBackground(passOn(one)), undefined).leave)
    for (const { vaultId } of memberships) onShared(vaultId)
  }

  return {
    begin: () => inBackground(follow((vaultId) => pass(vaultId, changeTypes.filter(isShared)))),
    follow: () => inBackground(follow(() => {})),
    leave() {
      hasLeft = true
      for (const leave of followed.values()) leave()
      followed.clear()
    },
  }
}
