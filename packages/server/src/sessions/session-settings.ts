import type { AgentVaultContext } from '../operation/context.ts'
import { defaultSettings, type VaultSettings } from '../vaults/settings.ts'

export const sessionSettings = (_ctx: AgentVaultContext): VaultSettings => defaultSettings
