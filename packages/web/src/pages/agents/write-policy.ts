import type { Integration } from '@holdfast/client/dashboard'

/** What an agent may do to what someone else wrote, in words. */

export type WritePolicy = Integration['writePolicy']
export type WriteRule = WritePolicy['persons']

export const rules: readonly { value: WriteRule; label: string }[] = [
  { value: 'ask', label: 'Ask me first' },
  { value: 'yes', label: 'Allow' },
  { value: 'no', label: 'Don’t allow' },
]

export const describedRules: Readonly<Record<WriteRule, string>> = {
  ask: 'It asks you first',
  yes: 'Allowed',
  no: 'Not allowed',
}
