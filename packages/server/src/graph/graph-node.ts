import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import type { ShownNode } from './describe-walk.ts'
import { memoryNodeFields, nodeFields } from './nodes.ts'

/** A node as people see it in the graph. */
export const graphNode = z
  .looseObject({
    ...nodeFields,
    ...memoryNodeFields,
    hop: z.int().describe('Links away from the node that was asked for; 0 of the best connected ones.'),
    degree: z.int().describe('Links that it has in all.'),
    live: z.boolean().describe('False where it is archived, trashed, expired or superseded.'),
    createdAt: fields.timestamp.describe('When it was stored.'),
  })
  .meta({ id: 'GraphNode' })

export const exampleNode = (id: string, title: string, hop: number) => ({
  id,
  type: 'memory' as const,
  title,
  memoryType: 'preference' as const,
  importance: 4,
  hop,
  degree: 1,
  live: true,
  createdAt: '2026-11-21T09:00:00.000Z',
})

export const describeGraphNode = ({ isLive, createdAt, ...node }: ShownNode) => ({
  ...node,
  live: isLive,
  createdAt: isoTime(createdAt),
})
