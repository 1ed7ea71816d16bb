import type { SessionMode, SessionProfile } from '../vaults/settings.ts'

/** Defaults of session-start for each mode. The caller and the vault can override them. */
export const profiles: Record<SessionMode, SessionProfile> = {
  default: { maxEpisodic: 3, maxFacts: 10, maxTasks: 5, maxConstraints: 10, includeDocuments: ['soul'] },
  planning: {
    maxEpisodic: 3,
    maxFacts: 12,
    maxTasks: 10,
    maxConstraints: 15,
    includeDocuments: ['soul', 'instructions'],
  },
  incident: {
    maxEpisodic: 8,
    maxFacts: 8,
    maxTasks: 5,
    maxConstraints: 10,
    includeDocuments: ['checks', 'instructions'],
  },
  handoff: {
    maxEpisodic: 10,
    maxFacts: 8,
    maxTasks: 10,
    maxConstraints: 10,
    includeDocuments: ['soul', 'instructions'],
  },
  deep: {
    maxEpisodic: 10,
    maxFacts: 20,
    maxTasks: 10,
    maxConstraints: 20,
    includeDocuments: ['soul', 'instructions', 'skills', 'checks'],
  },
  minimal: { maxEpisodic: 1, maxFacts: 3, maxTasks: 3, maxConstraints: 5, includeDocuments: [] },
  none: { maxEpisodic: 0, maxFacts: 0, maxTasks: 0, maxConstraints: 0, includeDocuments: [] },
}

/** Parts of the answer that are shortened or dropped if space is short. */
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
 * The largest share of the space that a section can take before the others had their turn. Set for lists without a maximum and
 * for documents, since one document can be longer than the whole answer.
 */
export const shares: Partial<Record<SectionName, number>> = {
  pendingMessages: 0.25,
  documents: 0.5,
  vaults: 0.15,
  recentAgents: 0.1,
}

/** Most valuable first. The last one is dropped first. */
export function sectionOrder(mode: SessionMode): readonly SectionName[] {
  if (mode === 'handoff') return front('pendingMessages', 'episodic')
  return mode === 'incident' ? front('pendingMessages') : sectionNames
}

const front = (...first: SectionName[]): SectionName[] => [
  ...first,
  ...sectionNames.filter((name) => !first.includes(name)),
]
