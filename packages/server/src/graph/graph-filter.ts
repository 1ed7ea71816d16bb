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

/** What people narrow the graph by. The index knows all of it, so that nothing is opened that is not shown. */

const shownTypes = ['note', ...memoryTypes] as const

export const filterFields = {
  types: z
    .array(z.enum(shownTypes))
    .max(shownTypes.length)
    .optional()
    .describe('Only notes, or memories of this type; repeated: one of these.'),
  relations: z
    .array(relationType)
    .max(relationTypes.length)
    .optional()
    .describe('Only links of this relation, and nodes that have one; repeated: one of these.'),
  entity: z.string().min(1).max(200).optional().describe('Only nodes that name this entity.'),
  agent: fields.agentName.optional().describe('Only what this agent wrote, as it is called; people write as "user".'),
  since: fields.timestamp.optional().describe('Only nodes stored at or after this moment.'),
  until: fields.timestamp.optional().describe('Only nodes stored before this moment.'),
  state: z
    .enum(['live', 'all'])
    .default('live')
    .describe('`all`: also what is archived, trashed, expired or superseded.'),
}

export type GraphFilter = z.output<z.ZodObject<typeof filterFields>>

export const relationsOf = ({ relations }: Pick<GraphFilter, 'relations'>): RelationType[] | undefined =>
  fields.nonEmpty(relations)

/** The nodes that pass, whatever their links. */
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
