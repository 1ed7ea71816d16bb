import type { Integration } from '@holdfast/client/dashboard'

/** What an agent may do to what someone else wrote, in words. */

export type WritePolicy = Integration['writePolicy']
export type WriteRule = WritePolicy['persons']

export const defaultPolicy: WritePolicy = { persons: 'ask', agents: 'yes' }

export const rules: readonly { value: WriteRule; label: string }[] = [
  { value: 'ask', label: 'Ask me first' },
  { value: 'yes', label: 'Allow' },
  { value: 'no', label: 'Don’t allow' },
]

const words: Readonly<Record<WriteRule, string>> = { ask: 'ask first', yes: 'allowed', no: 'not allowed' }

export const describePolicy = ({ persons, agents }: WritePolicy): string =>
  `Yours: ${words[persons]}. Other agents’: ${words[agents]}.`
