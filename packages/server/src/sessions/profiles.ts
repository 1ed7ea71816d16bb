import type { SessionMode, SessionProfile } from '../vaults/settings.ts'

/** What session-start gives in each mode where neither the caller nor the vault says otherwise. */
export const profiles: Record<SessionMode, SessionProfile> = {
  default: counts(3, 10, 5, 10, ['soul']),
  planning: counts(3, 12, 10, 15, ['soul', 'instructions']),
  incident: counts(8, 8, 5, 10, ['checks', 'instructions']),
  handoff: counts(10, 8, 10, 10, ['soul', 'instructions']),
  deep: counts(10, 20, 10, 20, ['soul', 'instructions', 'skills', 'checks']),
  minimal: counts(1, 3, 3, 5, []),
  none: counts(0, 0, 0, 0, []),
}

function counts(
  maxEpisodic: number,
  maxFacts: number,
  maxTasks: number,
  maxConstraints: number,
  includeDocuments: SessionProfile['includeDocuments'],
): SessionProfile {
  return { maxEpisodic, maxFacts, maxTasks, maxConstraints, includeDocuments }
}

/** Parts of the answer that give way where there is too little room. */
export const sectionNames = [
  'constraints',
  'tasks',
  'pendingMessages',
  'documents',
  'vaults',
  'recentAgents',
  'episodic',
  'facts',
] as const
export type SectionName = (typeof sectionNames)[number]

/**
 * The most that a section may take while others wait, as a share of all room: of lists that have no end, and of documents,
 * one of which may be longer than the whole answer.
 */
export const shares: Partial<Record<SectionName, number>> = {
  pendingMessages: 0.25,
  documents: 0.5,
  vaults: 0.15,
  recentAgents: 0.1,
}

/** The most valuable first; the last is the first to give way. */
export function sectionOrder(mode: SessionMode): readonly SectionName[] {
  if (mode === 'handoff') return front('pendingMessages', 'episodic')
  return mode === 'incident' ? front('pendingMessages') : sectionNames
}

const front = (...first: SectionName[]): SectionName[] => [
  ...first,
  ...sectionNames.filter((name) => !first.includes(name)),
]
