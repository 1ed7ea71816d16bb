import { createUser } from '../accounts/create-user.ts'
import { getSetup } from '../accounts/get-setup.ts'
import { operatorSetup } from '../accounts/operator-setup.ts'
import { setup } from '../accounts/setup.ts'
import { status } from '../accounts/status.ts'
import { info } from '../integrations/info.ts'
import type { Operation } from '../operation/operation.ts'
import { archiveMemory } from '../memories/archive-memory.ts'
import { readMemories } from '../memories/read-memories.ts'
import { updateMemory } from '../memories/update-memory.ts'
import { writeMemory } from '../memories/write-memory.ts'
import { searchMemories } from '../search/search-memories.ts'
import { createVault } from '../vaults/create-vault.ts'
import { listVaults } from '../vaults/list-vaults.ts'

/** Every operation, in the order of the interface. Reading it loads no database driver and has no side effects. */
export const registry: readonly Operation[] = [
  writeMemory,
  readMemories,
  updateMemory,
  archiveMemory,
  searchMemories,
  createVault,
  listVaults,
  info,

  operatorSetup,
  createUser,
  status,

  getSetup,
  setup,
]
