import type { InputOf } from '../../api/call.ts'
import type { Category } from './message-marks.tsx'

/** A message that people often send to agents. Placeholders in brackets must be filled in. */
export interface MessageTemplate {
  name: string
  category: Category
  priority: number
  subject: string
  content: string
  /** The API's name for the template, which webhooks and filters use. */
  template?: InputOf<'send-message'>['template']
}

export const messageTemplates: readonly MessageTemplate[] = [
  {
    name: 'Stop and report',
    category: 'directive',
    priority: 5,
    subject: 'Stop and report',
    content: `Stop what you are doing now. Don't finish the current step, and don't undo anything.

Tell me:
1. what you were doing, and why,
2. what you have changed so far,
3. what is left, and what could go wrong if it stays this way.

Wait for my answer before you continue.`,
  },
  {
    name: 'From now on',
    category: 'directive',
    priority: 4,
    subject: 'From now on',
    content: `From now on, prefer [this] over [that].

Why: [the reason]

Remember this as a preference until I say otherwise.`,
  },
  {
    name: 'Hand over',
    category: 'directive',
    priority: 4,
    subject: 'Hand over your work',
    content: `Hand over what you are working on to [agent]:

1. save a checkpoint: what is done, what is open, what to watch out for,
2. assign your open tasks to [agent],
3. send [agent] a message that says where to start.

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

/** Placeholders of the templates that are still in the text, each once. */
export function findPlaceholders(content: string): string[] {
  const known = new Set(messageTemplates.flatMap((template) => bracketsIn(template.content)))
  return [...new Set(bracketsIn(content))].filter((text) => known.has(text))
}

const bracketsIn = (text: string): string[] => text.match(/\[[^[\]\n]{1,40}\]/g) ?? []
