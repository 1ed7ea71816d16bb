import type { ReviewItem } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { Check, Undo2 } from 'lucide-react'
import { ByLine } from '../../components/records/by-line.tsx'
import { TextChanges } from '../../components/records/text-changes.tsx'
import { kinds } from './kinds.ts'
import { CardButton, RecordCard, SkipButton } from './record-card.tsx'
import type { ReviewActions } from './use-review-actions.ts'
import { isWhole } from './perform.ts'

interface Props {
  item: ReviewItem
  actions: ReviewActions
  onFocus: () => void
  onSkip: () => void
}

/** What an agent changed of a person's memory or task. */
export function ChangedCard({ item, actions, onFocus, onSkip }: Props) {
  const { memories, former, changes } = item
  const [memory] = memories
  if (memory === undefined) return null
  return (
    <RecordCard
      item={item}
      title={memory.title}
      done={<ByLine size="sm" record={memory} />}
      onFocus={onFocus}
      buttons={
        <>
          <CardButton isMain icon={Check} shortcut="a" onClick={() => actions.decide([item], 'accept')}>
            {kinds.changed.accept}
          </CardButton>
          {former !== null && (
            <CardButton icon={Undo2} shortcut="r" onClick={() => actions.decide([item], 'reject')}>
              {kinds.changed.reject}
            </CardButton>
          )}
          <SkipButton onSkip={onSkip} />
        </>
      }
    >
      {former === null ? (
        <Text size="sm" c="dimmed">
          Your text isn’t available: this was imported from an export without older versions.
        </Text>
      ) : (
        <TextChanges changes={changes} />
      )}
      {!isWhole(item) && (
        <Text size="sm" c="dimmed">
          This is only a part. To see the rest, open it and compare its versions.
        </Text>
      )}
    </RecordCard>
  )
}
