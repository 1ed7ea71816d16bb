import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const randomBytes = 16
// Filled for 256 ids at once. By default, `v7` requests random bytes for each id, which takes 20 µs after a disk sync.
const pool = Buffer.alloc(256 * randomBytes)
let nextAt = pool.length
let msecs = 0
let seq = 0

/**
 * A new UUID version 7 in lower case. Ids increase with time, so inserts append to their index. Within a millisecond, or
 * if the clock goes back, a counter with a random start increases (RFC 9562, 6.2, method 1).
 */
export function newId(): string {
  const random = nextRandom()
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    // Leaves half of the 32-bit range for counting up.
    seq = random.readUInt32BE() >>> 1
  } else seq++
  return v7({ random, msecs, seq })
}

/** A view into the pool, valid until the pool is refilled. */
function nextRandom(): Buffer {
  if (nextAt === pool.length) {
    randomFillSync(pool)
    nextAt = 0
  }
  nextAt += randomBytes
  return pool.subarray(nextAt - randomBytes, nextAt)
}
