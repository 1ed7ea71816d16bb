import { Copy, GitCompareArrows, HelpCircle, type LucideIcon } from 'lucide-react'

export type ReviewKind = 'contradiction' | 'duplicate' | 'unsure'

interface Look {
  title: string
  icon: LucideIcon
  /** What is to be judged. */
  lead: string
  /** What is said where nothing waits. */
  nothing: string
}

export const kinds: Readonly<Record<ReviewKind, Look>> = {
  contradiction: {
    title: 'Contradictions',
    icon: GitCompareArrows,
    lead: 'One memory says that it contradicts another. Say which is right: it takes the place of the other.',
    nothing: 'No live memory contradicts another.',
  },
  duplicate: {
    title: 'Duplicates',
    icon: Copy,
    lead: 'Two memories that may say the same. The one that you keep gets the names and links of both.',
    nothing: 'Nothing looks like something else.',
  },
  unsure: {
    title: 'Unsure',
    icon: HelpCircle,
    lead: 'What agents wrote down with a confidence of 1 or 2, and nobody has looked at yet.',
    nothing: 'No guess of an agent is left to look at.',
  },
}

export const reviewKinds = Object.keys(kinds) as readonly ReviewKind[]

export const isKind = (name: string): name is ReviewKind => Object.hasOwn(kinds, name)
