import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { findLink, insertLink, type StoredLink } from '../links/store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { nextSeq } from '../vaults/store.ts'
import { exampleLink, relationType } from './link.ts'
import { nodeType, requireNodes } from './nodes.ts'

const { linkId, sourceType, sourceId, targetType, targetId, relationType: exampleRelation, label } = exampleLink
const exampleTriple = { sourceType, sourceId, targetType, targetId, relationType: exampleRelation }

export const addLink = operation({
  name: 'add-link',
  scopes: ['write'],
  vault: 'resolved',
  summary: 'Link two notes or memories of one vault.',
  effect: 'write',
  input: z.object({
    sourceType: nodeType.describe('What the link begins at.'),
    sourceId: z.uuid().describe('Id of the note or memory that it begins at.'),
    targetType: nodeType.describe('What the link points to.'),
    targetId: z.uuid().describe('Id of the note or memory that it points to.'),
    relationType: relationType.describe('What the source is to the target.'),
    label: z.string().max(500).optional().describe('A remark of your own, at most 500 characters.'),
    externalWriteId: fields.externalWriteId,
    ...fields.inVault,
  }),
  output: z.looseObject({
    linkId: z.uuid(),
    created: z.boolean().describe('False where there was this link already; its label stays as it was.'),
    idempotent: z
      .boolean()
      .describe(
        'True where there was this link already, whoever made it, or one of the same externalWriteId: nothing was changed.',
      ),
    sourceType: nodeType,
    sourceId: z.uuid(),
    targetType: nodeType,
    targetId: z.uuid(),
    relationType,
    vaultId: z.uuid(),
  }),
  examples: {
    input: { ...exampleTriple, label: label ?? undefined },
    output: {
      linkId,
      created: true,
      idempotent: false,
      ...exampleTriple,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  created: ({ created }) => created,
  async run({ label: ownLabel, externalWriteId, ...input }, { db, vault, now }) {
    const ends = {
      sourceType: input.sourceType,
      sourceId: input.sourceId,
      targetType: input.targetType,
      targetId: input.targetId,
      relationType: input.relationType,
    }
    if (ends.sourceId === ends.targetId) throw invalid({ targetId: 'a note or memory cannot be linked to itself' })
    return db.write(async (tx) => {
      const seq = await nextSeq(tx, vault.userId, vault.id)
      const first = externalWriteId === undefined ? undefined : await findLink(tx, vault, { externalWriteId })
      if (first !== undefined) return asRepeat(first, vault.id)
      await requireNodes(tx, vault, [
        { type: ends.sourceType, id: ends.sourceId },
        { type: ends.targetType, id: ends.targetId },
      ])
      const link = { ...ends, label: ownLabel, origin: 'agent', externalWriteId } as const
      const made = await insertLink(tx, vault, seq, link, now())
      return { ...made, idempotent: !made.created, ...ends, vaultId: vault.id }
    })
  },
})

const asRepeat = ({ label: _label, origin: _origin, createdAt: _at, ...link }: StoredLink, vaultId: string) => ({
  ...link,
  created: false,
  idempotent: true,
  vaultId,
})
