import { z } from 'zod'
import { relationTypes, type RelationType } from '../links/relation-types.ts'
import { keyedIn } from '../memories/find-page.ts'
import { memoryTypes } from '../memories/memory.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { choiceTest } from '../vault-index/choose-items.ts'
import type { SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { relationType } from './link.ts'
import { nodeTypes } from './nodes.ts'

/** Filters of the graph. The index answers all of them, so only shown records are opened. */

const shownTypes = ['note', ...memoryTypes] as const

export const filterFields = {
  types: z
    .array(z.enum(shownTypes))
    .max(shownTypes.length)
    .optional()
    .describe('Only notes, or memories of this type. Repeat to allow several types.'),
  relations: z
    .array(relationType)
    .max(relationTypes.length)
    .optional()
    .describe('Only links of this relation, and nodes with such a link. Repeat to allow several relations.'),
  entity: z.string().min(1).max(200).optional().describe('Only nodes about this entity.'),
  agent: fields.agentName.optional().describe('Only nodes written by the agent with this name; "user" for people.'),
  since: fields.timestamp.optional().describe('Only nodes stored at or after this time.'),
  until: fields.timestamp.optional().describe('Only nodes stored before this time.'),
  state: z
    .enum(['live', 'all'])
    .default('live')
    .describe('`all`: include archived, trashed, expired and superseded records.'),
}

export type GraphFilter = z.output<z.ZodObject<typeof filterFields>>

export const relationsOf = ({ relations }: Pick<GraphFilter, 'relations'>): RelationType[] | undefined =>
  fields.nonEmpty(relations)

/** Tests nodes by everything except their links. */
export function nodeTest(
  index: VaultIndex,
  filter: GraphFilter,
  { vault, now }: Pick<VaultContext, 'vault' | 'now'>,
): SlotTest {
  const { entity, agent, since, until, state } = filter
  const types = fields.nonEmpty(filter.types)
  const choice = {
    state,
    at: now(),
    kinds: nodeTypes,
    ...(types !== undefined && { types }),
    ...(since !== undefined && { createdAfter: Date.parse(since) }),
    ...(until !== undefined && { createdBefore: Date.parse(until) }),
    ...(agent !== undefined && { agentId: agent }),
    ...(entity !== undefined && { entity }),
  }
  return choiceTest(index, choice, keyedIn(vault))
}
