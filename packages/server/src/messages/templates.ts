import type { Category, Template } from './message.ts'

/** What a template says where the sender says nothing. */
export const templates: Record<Template, { category: Category; priority: number; subject: string }> = {
  task_assignment: { category: 'task', priority: 4, subject: 'Task assignment' },
  status_update: { category: 'info', priority: 2, subject: 'Status update' },
  alert: { category: 'alert', priority: 5, subject: 'Alert' },
  question: { category: 'question', priority: 3, subject: 'Question' },
}

/** Without a template. */
export const plain = { category: 'info', priority: 3, subject: undefined } as const
