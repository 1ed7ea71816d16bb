import type { ReviewItem } from '@holdfast/client/dashboard'
import { isMoot } from './describe-effect.ts'

/** The changes of a proposal. Its reason is shown apart from them. */
export const shownChanges = ({ changes }: ReviewItem) => changes.filter(({ field }) => field !== 'writeReason')

/** Whether accepting a proposal does anything. */
export const canAccept = (item: ReviewItem): boolean =>
  item.proposal !== null && item.proposal.problem === null && !isMoot(item.proposal, shownChanges(item))
