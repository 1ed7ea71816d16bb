/** Which of a browser's tabs listens for all. */

export interface Turn {
  /** From now on it is this tab. */
  lead(): void
  /** Another tab leads after all; this one goes on waiting. */
  yieldTurn(): void
}

const name = 'holdfast-live'

/** Waits, and leads from its turn on, until the signal. */
export function waitForTurn(signal: AbortSignal, turn: Turn): void {
  // Missing outside of secure contexts, whatever its type says: plain HTTP from another machine is none.
  const locks = globalThis.navigator.locks as LockManager | undefined
  if (locks === undefined) standForElection(signal, turn)
  else void waitForLock(locks, signal, turn)
}

/** Whoever holds the lock leads; where its tab is closed, the next one in line gets it. */
async function waitForLock(locks: LockManager, signal: AbortSignal, { lead }: Turn): Promise<void> {
  const whileHeld = () => {
    if (signal.aborted) return Promise.resolve()
    lead()
    return new Promise<void>((done) => signal.addEventListener('abort', () => done()))
  }
  try {
    await locks.request(name, { signal }, whileHeld)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const askEveryMs = 5_000
const patienceMs = 1_000
/** So that not all who heard that the leader goes claim its place at once. */
const maxHasteMs = 100

type Message =
  /** Is there a leader? */
  { kind: 'ask' } | { kind: 'lead'; id: bigint } | { kind: 'resign' }

/**
 * Without locks the tabs ask each other: where nobody answers that it leads, the one that asked does. Where two lead, as after a tab
 * was too busy to answer, the one with the smaller id stays. Only `ask`, and a `lead` of somebody with a greater id, are
 * answered, so that no answer calls for another.
 */
export function standForElection(signal: AbortSignal, { lead, yieldTurn }: Turn): void {
  const [own = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  const channel = new BroadcastChannel(`${name}-turn`)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes no other argument
  const say = (message: Message) => channel.postMessage(message)
  let isLeader = false
  let claim: ReturnType<typeof setTimeout> | undefined
  const claimIn = (ms: number) => {
    clearTimeout(claim)
    claim = setTimeout(() => {
      isLeader = true
      say({ kind: 'lead', id: own })
      lead()
    }, ms)
  }
  const ask = () => {
    if (isLeader) return
    say({ kind: 'ask' })
    claimIn(patienceMs)
  }
  const hearLeader = (id: bigint) => {
    clearTimeout(claim)
    if (!isLeader) return
    if (id > own) return say({ kind: 'lead', id: own })
    isLeader = false
    yieldTurn()
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'lead') hearLeader(data.id)
    else if (data.kind === 'resign') claimIn(Math.random() * maxHasteMs)
    else if (isLeader) say({ kind: 'lead', id: own })
  })
  const asking = setInterval(ask, askEveryMs)
  ask()
  signal.addEventListener('abort', () => {
    clearInterval(asking)
    clearTimeout(claim)
    if (isLeader) say({ kind: 'resign' })
    channel.close()
  })
}
