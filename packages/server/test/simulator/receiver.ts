// The receiver of webhooks, and the network to it.

import type { Post } from '../../src/webhooks/post.ts'
import type { Random } from '../fuzz/random.ts'
import type { Endpoint } from './postgres-network.ts'
import type { Scheduler } from './scheduler.ts'

export interface Receiver {
  post(server: Endpoint): Post
  /** The ids under which an event arrived, by what it says: `memory.created` and the id of the record. */
  readonly arrived: ReadonlyMap<string, ReadonlySet<string>>
  /** From now on, all requests are taken. */
  calmDown(): void
}

export const eventKey = (event: string, recordId: string): string => `${event} ${recordId}`

export function createReceiver(scheduler: Scheduler, random: Random): Receiver {
  const arrived = new Map<string, Set<string>>()
  let isCalm = false

  function take(body: string, eventId: string): void {
    const { event, messageId, memoryId, taskId } = JSON.parse(body) as Record<string, string>
    const key = eventKey(event ?? '', messageId ?? memoryId ?? taskId ?? '')
    arrived.set(key, (arrived.get(key) ?? new Set()).add(eventId))
  }

  return {
    arrived,
    calmDown: () => void (isCalm = true),
    post:
      (server) =>
      async (_url, { headers, body }) => {
        if (server.isGone) return server.freeze()
        const step = async (what: string) => {
          await scheduler.step(`${server.name}: webhook ${what}`, server)
          if (server.isGone) await server.freeze()
        }
        await step('sent')
        const fate = isCalm ? 'taken' : random.pick(['taken', 'taken', 'refused', 'lost', 'late'])
        // A request may arrive although its answer is lost.
        if (fate === 'taken' || fate === 'lost') take(body, headers['webhook-id'] ?? '')
        // Meanwhile, the clock may pass the end of the lease.
        if (fate === 'late') for (let count = random.int(5, 30); count > 0; count--) await step('under way')
        await step(fate)
        return fate === 'taken'
          ? { status: 200, problem: undefined, retryAfter: undefined }
          : { status: fate === 'refused' ? 503 : undefined, problem: 'it failed', retryAfter: undefined }
      },
  }
}
