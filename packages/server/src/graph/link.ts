import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { relationTypes } from '../links/relation-types.ts'
import type { StoredLink } from '../links/store.ts'
import * as fields from '../operation/fields.ts'
import { nodeType } from './nodes.ts'

export const relationType = z.enum(relationTypes)

export const relationFilter = z
  .array(relationType)
  .min(1)
  .max(relationTypes.length)
  .optional()
  .describe('Only links of these relations.')

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
      .describe('What created it: add-link, the text of a note, a memory write, or a person.'),
    createdAt: fields.timestamp,
  })
  .meta({ id: 'Link' })

export type LinkRecord = z.infer<typeof linkRecord>

export const describeLink = ({ label, createdAt, ...link }: StoredLink): LinkRecord => ({
  ...link,
  label: label ?? null,
  createdAt: isoTime(createdAt),
})

/** A link in the graph of an agent: without its origin. */
export const edgeRecord = linkRecord.omit({ origin: true }).meta({ id: 'GraphEdge' })

export const withoutOrigin = ({ origin: _made, ...edge }: LinkRecord): z.infer<typeof edgeRecord> => edge

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

export const exampleEdge = withoutOrigin(exampleLink)
