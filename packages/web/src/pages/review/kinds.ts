import {
  ArchiveX,
  Copy,
  FilePenLine,
  GitCompareArrows,
  GitPullRequestArrow,
  HelpCircle,
  type LucideIcon,
} from 'lucide-react'

import { formatCount } from '../../components/text/time-text.ts'
import type { Decision } from './perform.ts'

export type ReviewKind = 'proposal' | 'contradiction' | 'duplicate' | 'unsure' | 'changed' | 'removed'

interface KindText {
  title: string
  icon: LucideIcon
  lead: string
  /** Shown when there is nothing to review. */
  empty: string
  /** One and several of them, after "Review". */
  nouns: readonly [string, string]
  /** The buttons of an item (`accept` once for each memory of a pair), or of several at once. `a` and `r` do the same. */
  accept: string
  reject: string
  acceptMany: string
  rejectMany: string
  /** What was done, to one item and to several. */
  accepted: readonly [string, string]
  rejected: readonly [string, string]
}

export const kinds: Readonly<Record<ReviewKind, KindText>> = {
  proposal: {
    title: 'Proposals',
    icon: GitPullRequestArrow,
    lead: 'Changes that agents propose to what you or other agents wrote. Nothing changes until you accept.',
    empty: 'No proposals to review. When an agent wants to change what you wrote, it asks here.',
    nouns: ['proposal', 'proposals'],
    accept: 'Accept',
    reject: 'Reject',
    acceptMany: 'Accept',
    rejectMany: 'Reject',
    accepted: ['Proposal accepted', 'proposals accepted'],
    rejected: ['Proposal rejected', 'proposals rejected'],
  },
  contradiction: {
    title: 'Contradictions',
    icon: GitCompareArrows,
    lead: 'These memories conflict. Pick the right one; it replaces the other.',
    empty: 'No contradictions to review. When two memories conflict, you’ll find them here.',
    nouns: ['contradiction', 'contradictions'],
    accept: 'This is right',
    reject: 'Both are true',
    acceptMany: 'The newer ones are right',
    rejectMany: 'Both are true',
    accepted: ['Contradiction resolved', 'contradictions resolved'],
    rejected: ['Both kept', 'contradictions dismissed'],
  },
  duplicate: {
    title: 'Duplicates',
    icon: Copy,
    lead: 'Two memories that may say the same thing. The one you keep gets the entities and links of both.',
    empty: 'No duplicates to review. Memories that may say the same thing appear here.',
    nouns: ['duplicate', 'duplicates'],
    accept: 'Keep this one',
    reject: 'Not duplicates',
    acceptMany: 'Keep the newer ones',
    rejectMany: 'Not duplicates',
    accepted: ['Memories merged', 'pairs merged'],
    rejected: ['Both kept', 'pairs kept'],
  },
  unsure: {
    title: 'Unsure',
    icon: HelpCircle,
    lead: 'Memories that agents weren’t sure about: they have a confidence of 1 or 2, and no one has reviewed them yet.',
    empty: 'No guesses to review. When an agent isn’t sure about a memory, it asks here.',
    nouns: ['guess', 'guesses'],
    accept: 'This is right',
    reject: 'This is wrong',
    acceptMany: 'These are right',
    rejectMany: 'These are wrong',
    accepted: ['Confirmed', 'memories confirmed'],
    rejected: ['1 memory archived', 'memories archived'],
  },
  changed: {
    title: 'Changed',
    icon: FilePenLine,
    lead: 'Memories and tasks that you wrote and an agent changed. Keep the change, or restore your text.',
    empty: 'No changes to review. When an agent changes what you wrote, you’ll find it here.',
    nouns: ['change', 'changes'],
    accept: 'Keep the change',
    reject: 'Restore your text',
    acceptMany: 'Keep the changes',
    rejectMany: 'Restore your texts',
    accepted: ['Change kept', 'changes kept'],
    rejected: ['Your text is restored', 'texts restored'],
  },
  removed: {
    title: 'Removed',
    icon: ArchiveX,
    lead: 'What you wrote and an agent archived, replaced, let expire or moved to the trash. Restore it, or leave it removed.',
    empty: 'Nothing removed. When an agent removes what you wrote, you’ll find it here.',
    nouns: ['removal', 'removals'],
    accept: 'Leave it removed',
    reject: 'Restore',
    acceptMany: 'Leave them removed',
    rejectMany: 'Restore',
    accepted: ['Left removed', 'items left removed'],
    rejected: ['Restored', 'items restored'],
  },
}

export function describeDecision(kind: ReviewKind, decision: Decision, count: number): string {
  if (decision === 'dismiss') return 'Left unsure'
  const [one, many] = decision === 'accept' ? kinds[kind].accepted : kinds[kind].rejected
  return count === 1 ? one : `${formatCount(count)} ${many}`
}

export const reviewKinds = Object.keys(kinds) as readonly ReviewKind[]

export const isKind = (name: string): name is ReviewKind => Object.hasOwn(kinds, name)
