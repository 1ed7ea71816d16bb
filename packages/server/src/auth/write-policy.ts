/** What an integration's keys may do to records that someone else shaped, loosest first. `ask`: a person decides about each change. */
export const writeRules = ['yes', 'ask', 'no'] as const
export type WriteRule = (typeof writeRules)[number]

export interface WritePolicy {
  /** Records that a person wrote or was the last to change. */
  persons: WriteRule
  /** Records of other agents, and those from a file, whose authors this instance doesn't know. */
  agents: WriteRule
}

/** Also applies to integrations of earlier versions, which have none. */
export const defaultWritePolicy: WritePolicy = { persons: 'ask', agents: 'yes' }

/** Of an integration whose policy can't be read. */
export const strictestWritePolicy: WritePolicy = { persons: 'no', agents: 'no' }

/** Whether a policy allows more than another for some records. */
export const isLooser = (policy: WritePolicy, than: WritePolicy): boolean =>
  (['persons', 'agents'] as const).some((field) => writeRules.indexOf(policy[field]) < writeRules.indexOf(than[field]))
