import { z } from 'zod'
import { findLinks as findStored } from '../links/graph-store.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { describeLink, linkRecord, exampleLink, relationFilter } from './link.ts'
import { linksAmong, maxEdges } from './walk.ts'

export const findLinksAmong = operation({
  name: 'find-links-among',
  for: { person: 'POST /api/links/among' },
  vault: 'required',
  summary: 'List the links among nodes, and between them and other nodes. Used to extend a graph.',
  effect: 'read',
  input: z.object({
    ...ownVault,
    ids: z.array(z.uuid()).min(1).max(200).describe('Ids of notes and memories. Unknown ids have no links.'),
    otherIds: z.array(z.uuid()).max(2_000).default([]).describe('Nodes at the other end of links from or to these.'),
    relations: relationFilter,
  }),
  output: z.looseObject({
    edges: z.array(linkRecord).describe(`At most ${maxEdges}.`),
    truncated: z
      .boolean()
      .describe('Whether there may be more: only the newest 256 links of a node in each direction are read.'),
  }),
  examples: {
    input: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      ids: [exampleLink.sourceId],
      otherIds: [exampleLink.targetId],
    },
    output: { edges: [exampleLink], truncated: false },
  },
  async run({ ids, otherIds, relations }, { db, vault, indexes }) {
    const nodes = ids.map((id) => ({ id, via: undefined }))
    const { links, isCut } = await indexes.read(vault, (index) =>
      linksAmong(index, nodes, { maxLinks: maxEdges, otherIds, relationTypes: relations }),
    )
    return { edges: (await findStored(db.read, vault, links)).map(describeLink), truncated: isCut }
  },
})
