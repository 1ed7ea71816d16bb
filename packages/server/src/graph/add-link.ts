import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { findLink, insertLink, type StoredLink } from '../links/store.ts'
import { enforceLink, enforceLinksOf } from '../memories/related-memories.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { nextSeq } from '../vaults/store.ts'
import { exampleLink, relationType } from './link.ts'
import { judgeNode } from './judge-node.ts'
import { nodeType, requireNodes } from './nodes.ts'

const { linkId, sourceType, sourceId, targetType, targetId, relationType: exampleRelation, label } = exampleLink
const exampleTriple = { sourceType, sourceId, targetType, targetId, relationType: exampleRelation }

const input = z.object({
  sourceType: nodeType.describe('Type of the source.'),
  sourceId: z.uuid().describe('Id of the note or memory that the link starts from.'),
  targetType: nodeType.describe('Type of the target.'),
  targetId: z.uuid().describe('Id of the note or memory that the link points to.'),
  relationType: relationType.describe('How the source relates to the target.'),
  label: z.string().max(500).optional().describe('A comment on the link, at most 500 characters.'),
  externalWriteId: fields.externalWriteId,
  ...fields.inVault,
})

export const addLink = operation({
  name: 'add-link',
  for: { agent: { toolset: 'graph', scopes: ['write'] }, person: 'POST /api/links' },
  vault: 'resolved',
  summary: 'Link two notes or memories of one vault.',
  effect: 'write',
  changes: ['links'],
  input,
  output: z.looseObject({
    linkId: z.uuid(),
    created: z.boolean().describe('False if the link already existed; it keeps its label.'),
    idempotent: z
      .boolean()
      .describe('True if the link, or one with the same externalWriteId, already existed. Nothing was changed.'),
    sourceType: nodeType,
    sourceId: z.uuid(),
    targetType: nodeType,
    targetId: z.uuid(),
    relationType,
    vaultId: z.uuid(),
  }),
  returns: ({ linkId: id }) => refs('link', id),
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
  async run(wanted, ctx) {
    if (wanted.sourceId === wanted.targetId) throw invalid({ targetId: 'a note or memory cannot be linked to itself' })
    const { link, created, idempotent } = await insertOnce(wanted, ctx)
    const { label: _label, origin: _origin, createdAt: _at, ...shown } = link
    return { ...shown, created, idempotent, vaultId: ctx.vault.id }
  },
})

interface Inserted {
  link: StoredLink
  created: boolean
  idempotent: boolean
}

/** 404 if the vault doesn't hold both ends. Repeating an `externalWriteId` changes nothing. */
function insertOnce(
  wanted: z.output<typeof input>,
  ctx: Pick<VaultContext, 'db' | 'vault' | 'now' | 'about' | 'actor' | 'instance'>,
) {
  const { db, vault, now, about, actor } = ctx
  const { externalWriteId, label: remark, relationType: relation } = wanted
  const source = { sourceType: wanted.sourceType, sourceId: wanted.sourceId }
  const target = { targetType: wanted.targetType, targetId: wanted.targetId }
  return db.write(async (tx): Promise<Inserted> => {
    const seq = await nextSeq(tx, vault)
    const first = externalWriteId === undefined ? undefined : await findLink(tx, vault, { externalWriteId })
    if (first !== undefined) return { link: first, created: false, idempotent: true }
    await requireNodes(tx, vault, [
      { type: source.sourceType, id: source.sourceId },
      { type: target.targetType, id: target.targetId },
    ])
    enforceLinksOf(await judgeNode(tx, ctx, { type: source.sourceType, id: source.sourceId }), 'sourceId')
    if (relation === 'supersedes')
      enforceLink(await judgeNode(tx, ctx, { type: target.targetType, id: target.targetId }), 'relationType')
    const origin = actor.kind === 'person' ? ('dashboard' as const) : ('agent' as const)
    const row = { ...source, ...target, relationType: relation, label: remark, externalWriteId, origin }
    const inserted = await insertLink(tx, vault, { seq, at: now() }, row)
    if (inserted.created) about('link', inserted.linkId)
    const link = await findLink(tx, vault, { linkId: inserted.linkId })
    if (link === undefined) throw new RangeError('The link that was just inserted was not found')
    return { link, created: inserted.created, idempotent: !inserted.created }
  })
}
