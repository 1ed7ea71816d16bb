import type { DocumentType } from '../vaults/settings.ts'

/**
 * A document: a text that a vault hands to its agents. Its owner may keep one of each type for all vaults, too.
 *
 * - none: the vault's text alone
 * - inherit: the vault's text, and where there is none the owner's
 * - merge: the owner's text, then the vault's
 *
 * Where nobody has written anything, the template that came with this version stands in.
 */
export const inheritModes = ['none', 'inherit', 'merge'] as const
export type InheritMode = (typeof inheritModes)[number]

export interface DocumentRules {
  inheritMode: InheritMode
  agentEditable: boolean
  appendOnly: boolean
}

/** Who an agent is and what it is told to do is for people to say; what it has learnt is for agents too. */
export const shippedRules: Record<DocumentType, DocumentRules> = {
  soul: { inheritMode: 'inherit', agentEditable: false, appendOnly: false },
  instructions: { inheritMode: 'inherit', agentEditable: false, appendOnly: false },
  skills: { inheritMode: 'merge', agentEditable: true, appendOnly: false },
  checks: { inheritMode: 'merge', agentEditable: true, appendOnly: false },
}
