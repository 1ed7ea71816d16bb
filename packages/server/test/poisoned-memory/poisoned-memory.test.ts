import { describe } from 'vitest'
import { runAttacks } from './run-attacks.ts'

describe('poisoned memory', () => {
  runAttacks('REST')
})
