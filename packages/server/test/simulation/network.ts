// The receiver of webhooks, and the leases under which servers send to it.

import { ColumnNode, ColumnUpdateNode, type RootOperationNode, UpdateQueryNode, ValueNode } from 'kysely'
import type { Post } from '../../src/webhooks/post.ts'
import type { Random } from '../fuzz/random.ts'
import type { Scheduler } from './scheduler.ts'

export interface Network {
  post: Post
  /** Looks at each statement of a transaction for leases, and for the results of deliveries. */
  onResult(node: RootOperationNode, rows: readonly unknown[]): void
  /** What arrived: the ids of the events, by message. */
  arrived: Map<string, Set<string>>
  /** Deliveries that were leased during another lease, and results of servers whose lease another one had taken over. */
  lostLeases: string[]
  /** From now on, all requests are taken. */
  calmDown(): void
}

const leaseMs = 60_000

interface Returned {
  id: string
  eventId: string
}

export function createNetwork(scheduler: Scheduler, random: Random): Network {
  const arrived: Network['arrived'] = new Map()
  /** When leases end, by event and server. */
  const leases = new Map<string, Map<string, number>>()
  /** Who leased a delivery last, by its id. */
  const lastHolders = new Map<string, string>()
  const lostLeases: string[] = []
  let isCalm = false
  function takeLease({ id, eventId }: Returned, server: string, until: number): void {
    const held = leases.get(eventId) ?? new Map<string, number>()
    for (const [other, end] of held)
      if (end > until - leaseMs) lostLeases.push(`${server} leased a delivery during the lease of ${other}`)
    leases.set(eventId, held.set(server, until))
    lastHolders.set(id, server)
  }
  return {
    arrived,
    lostLeases,
    calmDown: () => void (isCalm = true),
    onResult(node, rows) {
      if (!UpdateQueryNode.is(node)) return
      const actor = scheduler.actor() ?? ''
      const until = leaseEnd(node)
      for (const row of rows as Partial<Returned>[]) {
        const { id = '', eventId } = row
        if (until !== undefined && eventId !== undefined) takeLease({ id, eventId }, actor, until)
        // Only who still has the lease gets the row.
        else if ('attemptsRevision' in row && lastHolders.get(id) !== actor)
          lostLeases.push(`${actor} recorded a result after ${lastHolders.get(id)} had taken over`)
      }
    },
    async post(_url, { headers, body }) {
      const eventId = headers['webhook-id'] ?? 'none'
      await scheduler.step('send')
      const fate = isCalm ? 'taken' : random.pick(['taken', 'taken', 'refused', 'lost', 'late'])
      // A request may arrive although its answer is lost.
      if (fate === 'taken' || fate === 'lost') {
        const { messageId } = JSON.parse(body) as { messageId: string }
        arrived.set(messageId, (arrived.get(messageId) ?? new Set()).add(eventId))
      }
      // Meanwhile, the clock may pass the end of the lease.
      if (fate === 'late') for (let count = random.int(5, 40); count > 0; count--) await scheduler.step('wait')
      await scheduler.step(fate)
      leases.get(eventId)?.delete(scheduler.actor() ?? '')
      return fate === 'taken'
        ? { status: 200, problem: undefined, retryAfter: undefined }
        : { status: fate === 'refused' ? 503 : undefined, problem: 'it failed', retryAfter: undefined }
    },
  }
}

/** If the statement leases deliveries, when the lease ends. */
function leaseEnd(node: UpdateQueryNode): number | undefined {
  const updates = new Map(
    node.updates
      ?.filter(ColumnUpdateNode.is)
      .map(({ column, value }) => [
        ColumnNode.is(column) ? column.column.name : '',
        ValueNode.is(value) ? value.value : undefined,
      ]),
  )
  return typeof updates.get('leaseOwner') === 'string' ? Number(updates.get('dueAt')) : undefined
}
