import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { deliverLeased, type DeliveryParts } from './deliver-leased.ts'
import { leaseDue, listReady, type Lease, type Leased } from './lease-store.ts'
import { planTurn } from './schedule.ts'

/**
 * Sends what the outbox holds: at least once each, in no promised order. Any number of servers may do so on one database.
 * A lease is longer than an attempt can take, so that nobody sends what another is still sending.
 */
export interface Deliverer {
  /** Looks for work now instead of at the next look round. */
  wake(): void
  /** Resolves once nothing is due and nothing is under way. */
  settle(): Promise<void>
  /** Takes no more, gives what is under way a few seconds, and leaves the rest to the end of its lease. */
  stop(): Promise<void>
}

const leaseMs = 60_000
const lookEveryMs = 1_000
const stopWithinMs = 3_000

interface Sending {
  leased: Leased
  /** One for each: signals derived from one that lives as long as the server would pile up at it. */
  cut: AbortController
}

interface State {
  inFlight: Map<Promise<void>, Sending>
  /** A look round under way. */
  looking: Promise<void> | undefined
  mustLookAgain: boolean
  lastServed: string
  isStopping: boolean
  /** The last look round failed: an outage is logged once. */
  isFailing: boolean
}

export function startDeliverer(parts: DeliveryParts & { log: Log }): Deliverer {
  const { db, log, now } = parts
  const owner = newId()
  const state: State = {
    inFlight: new Map(),
    looking: undefined,
    mustLookAgain: false,
    lastServed: '',
    isStopping: false,
    isFailing: false,
  }
  const wake = () => {
    if (state.isStopping) return
    if (state.looking !== undefined) state.mustLookAgain = true
    else state.looking = look().finally(() => (state.looking = undefined))
  }
  const timer = setInterval(wake, lookEveryMs).unref()

  async function look(): Promise<void> {
    do {
      state.mustLookAgain = false
      try {
        for (const leased of await takeDue(db, state, { owner, now: now(), untilMs: now() + leaseMs })) begin(leased)
        state.isFailing = false
      } catch (error) {
        if (!state.isFailing) log.warn('webhooks that are due cannot be looked up', { job: 'deliver-webhooks', error })
        state.isFailing = true
      }
    } while (state.mustLookAgain && !state.isStopping)
  }

  function begin(leased: Leased): void {
    const cut = new AbortController()
    const sending: Promise<void> = deliverLeased(parts, leased, cut.signal)
      .catch((error: unknown) => log.warn('a webhook was not sent', { job: 'deliver-webhooks', error }))
      .finally(() => {
        state.inFlight.delete(sending)
        wake()
      })
    state.inFlight.set(sending, { leased, cut })
  }

  return {
    wake,
    async settle() {
      wake()
      while (state.looking !== undefined || state.inFlight.size > 0)
        await Promise.all([state.looking, ...state.inFlight.keys()])
    },
    async stop() {
      clearInterval(timer)
      state.isStopping = true
      // What a look round has taken already is still sent.
      await state.looking
      await Promise.race([Promise.all(state.inFlight.keys()), pauseFor(stopWithinMs)])
      for (const { cut } of state.inFlight.values()) cut.abort()
      await Promise.all(state.inFlight.keys())
    },
  }
}

const pauseFor = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

async function takeDue(db: Database, state: State, lease: Lease): Promise<Leased[]> {
  const underWay = Array.from(state.inFlight.values(), ({ leased }) => leased)
  const plan = planTurn(await listReady(db.read, lease.now), underWay, state.lastServed)
  state.lastServed = plan.at(-1)?.ready.webhookId ?? state.lastServed
  if (plan.length === 0 || state.isStopping) return []
  return db.write(async (tx) => {
    const taken: Leased[] = []
    for (const { ready, most } of plan) taken.push(...(await leaseDue(tx, ready, most, lease)))
    return taken
  })
}
