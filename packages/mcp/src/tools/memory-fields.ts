import type { PropertySchema } from '../schema.ts'
import { plainId } from './ids.ts'

export const memoryTypes = ['fact', 'skill', 'preference', 'constraint', 'task', 'episodic', 'correction'] as const

/** What a memory is made of, where tools take one. */
export const memoryFields = {
  content: { type: 'string', description: 'One idea, self-contained.' },
  memoryType: { type: 'string', enum: memoryTypes, description: 'Default fact.' },
  importance: { type: 'integer', minimum: 1, maximum: 5, description: '5: always told. Default 3.' },
  summary: { type: 'string', description: 'Short form of a long content.' },
  entities: { type: 'array', items: { type: 'string' }, description: 'Names that it is about.' },
  supersedes: { type: 'string', description: 'Id of the memory that it replaces.' },
  writeReason: { type: 'string' },
} as const satisfies Record<string, PropertySchema>

/** The same in the service's words. */
export function wireMemory<Fields extends { supersedes?: string }>({
  supersedes,
  ...fields
}: Fields): Omit<Fields, 'supersedes'> & { supersededById?: string } {
  const id = plainId(supersedes, 'supersedes')
  return { ...fields, ...(id !== undefined && { supersededById: id }) }
}
