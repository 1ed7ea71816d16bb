import { describe } from 'vitest'
import type { Attack } from './attack.ts'
import { runAttacks } from './run-attacks.ts'

// Each eleventh attack, in other places of the list for each surface. The long test runs them all.
const some = (first: number) => (attack: Attack, at: number) => attack.isLong !== true && at % 11 === first

describe('some of the attacks by poisoned memory', () => {
  runAttacks('REST', { isWanted: some(0) })
  runAttacks('MCP', { isWanted: some(3) })
})
