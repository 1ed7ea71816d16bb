import type { Integration, Vault } from '@holdfast/client/dashboard'
import { nameOfPreset } from './make-agent.ts'

/** What an agent may do, in words. */

export type WritePolicy = Integration['writePolicy']
type WriteRule = WritePolicy['persons']

/** What it may do to what someone else wrote. */
export const rules: readonly { value: WriteRule; label: string }[] = [
  { value: 'ask', label: 'Ask me first' },
  { value: 'yes', label: 'Allow' },
  { value: 'no', label: 'Don’t allow' },
]

const describedRules: Readonly<Record<WriteRule, string>> = {
  ask: 'Asks first',
  yes: 'Allowed',
  no: 'Not allowed',
}

/** What its keys can do, and where. */
export const describeAccess = (
  { preset, writePolicy, restrictToVault, vaults: granted }: Integration,
  vaults: readonly Pick<Vault, 'id' | 'name'>[],
): [name: string, value: string][] => [
  ['Access', nameOfPreset(preset)],
  ['Editing your records', describedRules[writePolicy.persons]],
  ['Editing other agents’ records', describedRules[writePolicy.agents]],
  [
    'Vaults',
    restrictToVault
      ? granted.map(({ vaultId }) => vaults.find(({ id }) => id === vaultId)?.name ?? 'a deleted vault').join(', ')
      : 'All your vaults',
  ],
]
