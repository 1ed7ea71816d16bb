import { describe } from 'vitest'
import { onPostgres } from '../dialects.ts'
import { runAttacks } from './run-attacks.ts'

describe('all attacks by poisoned memory', () => {
  runAttacks('REST')
  runAttacks('MCP')
})

onPostgres('some of the attacks by poisoned memory', (dialect) => {
  runAttacks('REST', { dialect, isWanted: (_, at) => at % 3 === 1 })
})
