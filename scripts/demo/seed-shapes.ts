/** How the demonstration's records are written down before they are told to a server. */

export const agents = ['claude-code', 'codex', 'cursor', 'scout', 'dispatch'] as const
export type AgentName = (typeof agents)[number]

export type RelationType = 'refines' | 'contradicts'

export interface SeedMemory {
  /** How many days ago. */
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
  /** Of the link to what it contradicts. */
  label?: string
  why?: string
  /** Titles of the notes that it was derived from. */
  from?: string[]
  expiresInDays?: number
}

export interface SeedNote {
  day: number
  /** Who writes it: an agent, or the person. */
  by: AgentName | 'user'
  title: string
  folderPath: string
  tags: string[]
  content: string
  /** What the text was at first, some days before. */
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
  /** What became of it, in order. */
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
  /** What its addressee says to it. */
  acknowledged?: string
}
