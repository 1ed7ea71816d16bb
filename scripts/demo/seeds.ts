import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The demo's content, from the files in `content`. */

export const agents = ['claude-code', 'codex', 'cursor', 'scout', 'dispatch'] as const
export type AgentName = (typeof agents)[number]

export type RelationType = 'refines' | 'contradicts'

/** `day` counts back from today, here and below. */
export interface SeedMemory {
  day: number
  agent: AgentName
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'episodic' | 'correction'
  importance: number
  confidence: number
  content: string
  entities: string[]
  key?: string
  supersedes?: string
  refines?: string
  contradicts?: string
  /** Label of the link to the memory that it contradicts. */
  label?: string
  why?: string
  /** Titles of the notes that it was derived from. */
  from?: string[]
  expiresInDays?: number
}

export interface SeedNote {
  day: number
  /** The author: an agent, or the person. */
  by: AgentName | 'user'
  title: string
  folderPath: string
  tags: string[]
  content: string
  /** The first version of the text, from some days before. */
  formerly?: string
}

export interface SeedTask {
  day: number
  by: AgentName | 'user'
  title: string
  description?: string
  doneWhen?: string
  priority: number
  assignedTo?: AgentName
  /** Its history, in order. */
  steps: { day: number; status: 'backlog' | 'todo' | 'in_progress' | 'blocked' | 'done'; comment?: string }[]
  blockedReason?: string
}

export interface SeedMessage {
  day: number
  from: AgentName | 'user'
  to: AgentName | 'user' | '*'
  category: 'directive' | 'question' | 'info' | 'task' | 'alert'
  priority: number
  subject?: string
  content: string
  key?: string
  answers?: string
  /** The note of the recipient who acknowledges it. */
  acknowledged?: string
}

export interface SeedProposal {
  day: number
  by: AgentName
  /** The title of a note of the person. */
  note: string
  find: string
  replace: string
}

export interface SeedDocument {
  day: number
  documentType: 'soul' | 'instructions' | 'skills' | 'checks'
  content: string
}

interface SeedSessions {
  questions: Record<AgentName, string[]>
  turns: { day: number; agent: AgentName; role: 'user' | 'assistant'; content: string }[]
  summaries: Record<AgentName, string[]>
  nights: string[]
}

const read = (name: string): unknown =>
  parse(readFileSync(join(import.meta.dirname, 'content', `${name}.yaml`), 'utf8'))

export const memories = Object.values(read('memories') as Record<string, SeedMemory[]>).flat()
export const notes = read('notes') as SeedNote[]
export const tasks = read('tasks') as SeedTask[]
export const messages = read('messages') as SeedMessage[]
export const documents = read('documents') as SeedDocument[]
export const proposals = read('proposals') as SeedProposal[]
const sessions = read('sessions') as SeedSessions
export const { questions, turns, summaries } = sessions

/** How a memory relates to the ones that it names. */
export const relationsOf = ({ refines, contradicts }: SeedMemory): [key: string, RelationType][] => [
  ...(refines === undefined ? [] : ([[refines, 'refines']] as [string, RelationType][])),
  ...(contradicts === undefined ? [] : ([[contradicts, 'contradicts']] as [string, RelationType][])),
]

/** What the night watch reports of a night. */
export function nightReport(day: number): string {
  const { nights } = sessions
  const text = nights[(day * 7 + 3) % nights.length] ?? ''
  const values: Record<string, number | string> = {
    mails: 4 + ((day * 13) % 29),
    checks: 46 + (day % 3),
    hour: `0${1 + (day % 5)}:${String((day * 17) % 60).padStart(2, '0')}`,
    wind: 11 + (day % 6),
    seconds: 2 + ((day * 5) % 31),
    minutes: 18 + (day % 4),
  }
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}
