import type { PropertySchema } from '../schema.ts'
import { plainId } from './ids.ts'

export const memoryTypes = ['fact', 'skill', 'preference', 'constraint', 'task', 'episodic', 'correction'] as const

/** The fields of a memory in tools. */
export const memoryFields = {
  content: { type: 'string', description: 'One idea, self-contained.' },
  memoryType: { type: 'string', enum: memoryTypes, description: 'Default fact.' },
  importance: { type: 'integer', minimum: 1, maximum: 5, description: '5: always loaded. Default 3.' },
  summary: { type: 'string', description: 'Short form of long content.' },
  entities: { type: 'array', items: { type: 'string' }, description: 'People and things it is about.' },
  supersedes: { type: 'string', description: 'Id of the memory it replaces.' },
  writeReason: { type: 'string' },
} as const satisfies Record<string, PropertySchema>

/** Converts to the server's field names. */
export function toServerFields<Fields extends { supersedes?: string }>({
  supersedes,
  ...fields
}: Fields): Omit<Fields, 'supersedes'> & { supersededById?: string } {
  const id = plainId(supersedes, 'supersedes')
  return { ...fields, ...(id !== undefined && { supersededById: id }) }
}
