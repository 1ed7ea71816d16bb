import { expect, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import type { TestDialect } from '../../../test/dialects.ts'
import { makeUser, type TestUser } from '../../../test/factories.ts'
import { makeClock } from '../../../test/scenarios.ts'
import type { Receiver } from '../../../test/webhook-receiver.ts'
import { newId } from '../../core/ids.ts'
import { parseAllowList } from '../address.ts'
import { startDeliverer } from '../deliver.ts'
import { queueEvent } from '../outbox.ts'
import { createPost, type Post } from '../post.ts'
import { createVetUrl } from '../vet-url.ts'

const allowed = parseAllowList('127.0.0.1').targets
const post = createPost(createVetUrl({ allowed, resolve: async () => ['127.0.0.1'], ownPort: 0 }))

interface Setting {
  test: TestApp
  user: TestUser
  clock: ReturnType<typeof makeClock>
  /** Another server on the same store. `through`: another way to send. */
  deliverer(through?: Post): ReturnType<typeof startDeliverer>
  subscribe(url: string): Promise<{ id: string; secret: string }>
  queue(): Promise<string>
  webhook(id: string): Promise<Record<string, unknown>>
  deliveries(): Promise<Record<string, unknown>[]>
}

export async function start(dialect: TestDialect, at?: number): Promise<Setting> {
  const clock = makeClock(at)
  const test = await startTestApp({ dialect, now: clock.now, config: { webhookAllow: allowed }, runsJobs: false })
  const user = await makeUser(test)
  const { db, keyring, news, log } = test.app.services
  const key = user.dashboardToken
  return {
    test,
    user,
    clock,
    deliverer(through = post) {
      const deliverer = startDeliverer({ db, keyring, news, log, now: clock.now, post: through })
      onTestFinished(() => deliverer.stop())
      return deliverer
    },
    async subscribe(url) {
      const { status, body, text } = await test.call('create-webhook', { url, events: ['message.created'] }, { key })
      expect([201, text]).toEqual([status, text])
      return body.webhook as { id: string; secret: string }
    },
    async queue() {
      const messageId = newId()
      const message = { category: 'info', priority: 3, targetId: 'planner', vaultId: undefined }
      const event = { ...message, userId: user.userId, event: 'message.created', messageId, at: clock.now() } as const
      await db.write((tx) => queueEvent(tx, event))
      return messageId
    },
    webhook: async (id) => (await test.call('list-webhooks', { id }, { key })).body.webhook as Record<string, unknown>,
    deliveries: async () =>
      (await test.call('list-webhook-deliveries', { limit: '100' }, { key })).body.deliveries as Record<
        string,
        unknown
      >[],
  }
}

export const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'])
