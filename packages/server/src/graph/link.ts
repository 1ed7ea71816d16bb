import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { relationTypes } from '../links/relation-types.ts'
import type { StoredLink } from '../links/store.ts'
import * as fields from '../operation/fields.ts'
import { nodeType } from './nodes.ts'

/** A link as it is sent, and what contracts say of it. */

export const relationType = z.enum(relationTypes)

export const relationFilter = z
  .array(relationType)
  .min(1)
  .max(relationTypes.length)
  .optional()
  .describe('Only links of these relations.')

/** What a caller may say of a new link. */
export const linkFields = {
  sourceType: nodeType.describe('What the link begins at.'),
  sourceId: z.uuid().describe('Id of the note or memory that it begins at.'),
  targetType: nodeType.describe('What the link points to.'),
  targetId: z.uuid().describe('Id of the note or memory that it points to.'),
  relationType: relationType.describe('What the source is to the target.'),
  label: z.string().max(500).optional().describe('A remark of your own, at most 500 characters.'),
}

export const linkRecord = z
  .looseObject({
    linkId: z.uuid(),
    sourceType: nodeType,
    sourceId: z.uuid(),
    targetType: nodeType,
    targetId: z.uuid(),
    relationType,
    label: z.string().nullable(),
    origin: z
      .enum(['agent', 'wiki', 'write', 'dashboard'])
      .describe('What made it: add-link, the text of a note, the write of a memory, or a person.'),
    createdAt: fields.timestamp,
  })
  .meta({ id: 'Link' })

export type LinkRecord = z.infer<typeof linkRecord>

export const describeLink = ({ label, createdAt, ...link }: StoredLink): LinkRecord => ({
  ...link,
  label: label ?? null,
  createdAt: isoTime(createdAt),
})

/** The same without its origin: what a walk is made of. */
export const edgeRecord = linkRecord.omit({ origin: true }).meta({ id: 'GraphEdge' })

export function describeEdge(link: StoredLink): z.infer<typeof edgeRecord> {
  const { origin: _made, ...shown } = describeLink(link)
  return shown
}

export const exampleLink: LinkRecord = {
  linkId: '0198c5f0-0000-7000-8000-000000000301',
  sourceType: 'memory',
  sourceId: '0198c5f0-0000-7000-8000-000000000101',
  targetType: 'memory',
  targetId: '0198c5f0-0000-7000-8000-000000000102',
  relationType: 'refines',
  label: 'says which editor',
  origin: 'agent',
  createdAt: '2026-11-21T09:00:00.000Z',
}
