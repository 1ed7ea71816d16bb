import { contextText, type Operations } from '@holdfast/client'
import { z } from 'zod'
import { printable } from './options.ts'

/** What is printed of answers, of which any server may have sent any. Texts are made printable where they are wrapped. */
const word = z.string().transform(printable)
const age = z.iso.datetime({ offset: true })
const facts = { importance: z.int(), createdAt: age, agentId: z.string().nullable(), status: word }
const memory = { memoryId: word, memoryType: word, ...facts }
const task = {
  taskId: word,
  title: z.string(),
  status: z.enum(['backlog', 'todo', 'in_progress', 'blocked', 'done']),
  priority: z.int(),
  updatedAt: age,
  assignedAgentId: z.string().nullable(),
}
export const shown = {
  search: z.looseObject({
    memories: z.array(z.looseObject({ ...memory, content: z.string().nullish(), summary: z.string().nullish() })),
    degraded: z.array(z.looseObject({ leg: z.string(), reason: z.string() })),
  }),
  written: z.looseObject({ created: z.boolean(), memoryId: word, supersededMemoryId: word.optional() }),
  memories: z.looseObject({
    memories: z.array(z.looseObject({ ...memory, content: z.string(), entities: z.array(z.string()) })),
  }),
  wholeNotes: z.looseObject({ notes: z.array(z.looseObject({ title: z.string(), content: z.string().nullish() })) }),
  // The client prints it, which cannot for what is no such answer.
  context: z.custom<Context>((answer) => contextOf(answer) !== undefined).transform((answer) => contextText(answer)),
  tasks: z.looseObject({ tasks: z.array(z.looseObject(task)), total: z.int() }),
  notes: z.looseObject({
    notes: z.array(z.looseObject({ noteId: word, title: z.string(), updatedAt: age })),
    total: z.int(),
  }),
}

type Context = Operations['session-start']['output']

function contextOf(answer: unknown): string | undefined {
  try {
    return contextText(answer as Context)
  } catch {
    return undefined
  }
}
