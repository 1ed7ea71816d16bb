import {
  ArchiveX,
  Copy,
  FilePenLine,
  GitCompareArrows,
  GitPullRequestArrow,
  HelpCircle,
  type LucideIcon,
} from 'lucide-react'

export type ReviewKind = 'proposal' | 'contradiction' | 'duplicate' | 'unsure' | 'changed' | 'removed'

interface KindText {
  title: string
  icon: LucideIcon
  lead: string
  /** Shown when there is nothing to review. */
  empty: string
}

export const kinds: Readonly<Record<ReviewKind, KindText>> = {
  proposal: {
    title: 'Proposals',
    icon: GitPullRequestArrow,
    lead: 'Changes that agents propose to what you or other agents wrote. Nothing changes until you accept.',
    empty: 'No proposals to review. When an agent wants to change what you wrote, it asks here.',
  },
  contradiction: {
    title: 'Contradictions',
    icon: GitCompareArrows,
    lead: 'One memory contradicts another. Choose the right one: it replaces the other.',
    empty: 'No contradictions to review.',
  },
  duplicate: {
    title: 'Duplicates',
    icon: Copy,
    lead: 'Two memories that may say the same thing. The one you keep gets the entities and links of both.',
    empty: 'No duplicates to review.',
  },
  unsure: {
    title: 'Unsure',
    icon: HelpCircle,
    lead: 'Memories that agents weren’t sure about: they have a confidence of 1 or 2, and no one has reviewed them yet.',
    empty: 'No guesses to review.',
  },
  changed: {
    title: 'Changed',
    icon: FilePenLine,
    lead: 'Memories and tasks that you wrote and an agent changed. Keep the change, or restore your text.',
    empty: 'No changes to review. When an agent changes what you wrote, you’ll find it here.',
  },
  removed: {
    title: 'Removed',
    icon: ArchiveX,
    lead: 'What you wrote and an agent archived, replaced, let expire or moved to the trash. Restore it, or leave it removed.',
    empty: 'Nothing removed. When an agent removes what you wrote, you’ll find it here.',
  },
}

export const reviewKinds = Object.keys(kinds) as readonly ReviewKind[]

export const isKind = (name: string): name is ReviewKind => Object.hasOwn(kinds, name)
