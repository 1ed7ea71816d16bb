import type { CreateWebhookInput } from '@holdfast/client/dashboard'
import { countOf } from '../../components/text/time-text.ts'

export type EventName = CreateWebhookInput['events'][number]

/** All events, by what they are about. */
export const eventGroups: readonly { label: string; events: readonly { value: EventName; label: string }[] }[] = [
  {
    label: 'Messages',
    events: [
      { value: 'message.created', label: 'Sent' },
      { value: 'message.acknowledged', label: 'Acknowledged' },
    ],
  },
  {
    label: 'Memories',
    events: [
      { value: 'memory.created', label: 'Created' },
      { value: 'memory.updated', label: 'Updated' },
      { value: 'memory.archived', label: 'Archived' },
      { value: 'memory.deleted', label: 'Deleted' },
    ],
  },
  {
    label: 'Tasks',
    events: [
      { value: 'task.created', label: 'Created' },
      { value: 'task.updated', label: 'Updated' },
      { value: 'task.completed', label: 'Completed' },
      { value: 'task.archived', label: 'Archived' },
      { value: 'task.deleted', label: 'Deleted' },
    ],
  },
  {
    label: 'Notes',
    events: [
      { value: 'note.created', label: 'Created' },
      { value: 'note.updated', label: 'Updated' },
      { value: 'note.trashed', label: 'Moved to trash' },
      { value: 'note.deleted', label: 'Deleted' },
    ],
  },
]

/** As in the form: `Messages: Sent, Acknowledged`. If there are more than `mostNamed`, how many. */
export function nameEvents(names: readonly string[], mostNamed = 3): string {
  if (names.length > mostNamed) return countOf(names.length, 'event')
  return eventGroups
    .map(({ label, events }) => ({ label, chosen: events.filter(({ value }) => names.includes(value)) }))
    .filter(({ chosen }) => chosen.length > 0)
    .map(({ label, chosen }) => `${label}: ${chosen.map((event) => event.label).join(', ')}`)
    .join('; ')
}
