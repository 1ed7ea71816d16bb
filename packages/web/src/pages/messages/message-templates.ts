import type { InputOf } from '../../api/call.ts'
import type { Category } from './message-looks.tsx'

/** What people tell agents again and again. What stands in brackets is to be filled in. */
export interface MessageTemplate {
  name: string
  category: Category
  priority: number
  subject: string
  content: string
  /** The service's own, which webhooks and filters know. */
  template?: InputOf<'post-message'>['template']
}

export const messageTemplates: readonly MessageTemplate[] = [
  {
    name: 'Stop and report',
    category: 'directive',
    priority: 5,
    subject: 'Stop and report',
    content: `Stop what you are doing now; finish no further step and undo nothing.

Tell me:
1. what you were doing, and why,
2. what you have changed so far,
3. what is left, and what could go wrong if it stays like this.

Wait for my answer before you go on.`,
  },
  {
    name: 'From now on',
    category: 'directive',
    priority: 4,
    subject: 'From now on',
    content: `From now on, prefer [this] over [that].

Why: [the reason]

Remember it as a preference. It holds until I say otherwise.`,
  },
  {
    name: 'Hand over',
    category: 'directive',
    priority: 4,
    subject: 'Hand over your work',
    content: `Hand over what you are working on to [agent]:

1. write a checkpoint: what is done, what is open, what to watch out for,
2. assign your open tasks to [agent],
3. send [agent] a message that says where to begin.

Then stop.`,
  },
  {
    name: 'Assign a task',
    template: 'task_assignment',
    category: 'task',
    priority: 4,
    subject: 'Task assignment',
    content: `Please [do this].

It is done when [this is true].`,
  },
  {
    name: 'Ask',
    template: 'question',
    category: 'question',
    priority: 3,
    subject: 'Question',
    content: '',
  },
]

/** What of a text is still to be filled in, each once. */
export function openPlaces(content: string): string[] {
  const known = new Set(messageTemplates.flatMap((template) => placesIn(template.content)))
  return [...new Set(placesIn(content))].filter((place) => known.has(place))
}

const placesIn = (text: string): string[] => text.match(/\[[^[\]\n]{1,40}\]/g) ?? []
