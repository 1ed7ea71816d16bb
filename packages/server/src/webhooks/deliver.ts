import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { deliverLeased, type DeliveryParts } from './deliver-leased.ts'
import { leaseDue, listReady, type Lease, type Leased } from './lease-store.ts'
import { planTurn } from './schedule.ts'

/**
 * Sends queued deliveries at least once, in no particular order. Several servers can share one database: a lease lasts longer
 * than any attempt, so two servers never send the same delivery at the same time.
 */
export interface Deliverer {
  /** Looks for due deliveries now instead of at the next interval. */
  wake(): void
  /** Resolves once nothing is due or in progress. */
  settle(): Promise<void>
  /** Takes no more deliveries and gives those in progress a few seconds. The rest are due again when their leases end. */
  stop(): Promise<void>
}

const leaseMs = 60_000
const pollEveryMs = 1_000
const stopWithinMs = 3_000

interface Sending {
  leased: Leased
  /** One per delivery, because signals derived from a long-lived signal would accumulate on it. */
  cut: AbortController
}

interface State {
  inFlight: Map<Promise<void>, Sending>
  /** The current check for due deliveries. */
  looking: Promise<void> | undefined
  mustLookAgain: boolean
  lastServed: string
  isStopping: boolean
  /** The last check failed. Used to log an outage only once. */
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
  const timer = setInterval(wake, pollEveryMs).unref()

  async function look(): Promise<void> {
    do {
      state.mustLookAgain = false
      try {
        for (const leased of await takeDue(db, state, { owner, now: now(), untilMs: now() + leaseMs })) begin(leased)
        state.isFailing = false
      } catch (error) {
        if (!state.isFailing) log.warn('could not look up due webhook deliveries', { job: 'deliver-webhooks', error })
        state.isFailing = true
      }
    } while (state.mustLookAgain && !state.isStopping)
  }

  function begin(leased: Leased): void {
    const cut = new AbortController()
    const sending: Promise<void> = deliverLeased(parts, leased, cut.signal)
      .catch((error: unknown) => log.warn('could not send a webhook delivery', { job: 'deliver-webhooks', error }))
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
      // Deliveries that the current check has leased are still sent.
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
