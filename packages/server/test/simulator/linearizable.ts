// Whether answers that overlapped in time can be explained by one order of calls (Wing and Gong's search, with the states remembered that led
// nowhere, as Lowe and Porcupine do).

/** What a sequential object would do. */
export interface Model<State, Op> {
  initial: State
  /** The states after this call with this answer; none if the answer is impossible in this state. */
  apply(state: State, op: Op): readonly State[]
}

/** A call and its answer. Times are any numbers that grow. */
export interface Timed<Op> {
  op: Op
  from: number
  /** Infinity if no answer came: it may have had its effect at any time since, or never. */
  until: number
}

export function isLinearizable<State, Op>({ initial, apply }: Model<State, Op>, calls: readonly Timed<Op>[]): boolean {
  if (calls.length > 52) throw new Error('too many calls for one object')
  const isAnswered = calls.map(({ until }) => until < Infinity)
  const visited = new Set<string>()

  /** `done`: the calls that have happened, as a sum of powers of two. */
  function search(state: State, done: number): boolean {
    const left = calls.flatMap((call, at) => (has(done, at) ? [] : [{ ...call, at }]))
    if (left.every(({ at }) => isAnswered[at] !== true)) return true
    const seen = `${done} ${JSON.stringify(state)}`
    if (visited.has(seen)) return false
    visited.add(seen)
    // No call can come before one that had been answered when it began.
    const firstAnswer = Math.min(...left.map(({ until }) => until))
    return left
      .filter(({ from }) => from <= firstAnswer)
      .some(({ op, at }) => apply(state, op).some((next) => search(next, done + 2 ** at)))
  }
  return search(initial, 0)
}

const has = (done: number, at: number): boolean => Math.floor(done / 2 ** at) % 2 === 1
