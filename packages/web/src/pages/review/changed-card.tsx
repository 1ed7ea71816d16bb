import type { ReviewItem } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { Check, Undo2 } from 'lucide-react'
import { ByLine } from '../../components/records/by-line.tsx'
import { TextChanges } from '../../components/records/text-changes.tsx'
import { CardButton, RecordCard } from './record-card.tsx'
import type { ReviewActions } from './use-review-actions.ts'
import { isWhole } from './use-whole-proposals.ts'

interface Props {
  item: ReviewItem
  actions: ReviewActions
  onFocus: () => void
}

/** What an agent changed of a person's memory or task. */
export function ChangedCard({ item, actions, onFocus }: Props) {
  const { memories, former, changes } = item
  const { isBusy } = actions
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
          <CardButton icon={Check} shortcut="l" isBusy={isBusy} onClick={() => actions.leave(item)}>
            Keep the change
          </CardButton>
          {former !== null && (
            <CardButton icon={Undo2} shortcut="1" isBusy={isBusy} onClick={() => actions.restoreText(item)}>
              Restore your text
            </CardButton>
          )}
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
