import { z } from 'zod'
import { conflict, forbidden, invalid, notFound } from '../core/errors.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { documentTypes, type DocumentType } from '../vaults/settings.ts'
import { lockVault } from '../vault-index/lock-store.ts'
import { describeDocument, documentType, joinTexts, maxDocumentChars } from './document.ts'
import { shippedRules, type DocumentRules } from './rules.ts'
import { findDefaultDocuments, findDocuments, insertDocument, replaceDocument, type StoredDocument } from './store.ts'
import { templates } from './templates.ts'

const modes = ['replace', 'append'] as const

export const updateDocument = operation({
  name: 'update-document',
  scopes: ['write'],
  vault: 'required',
  summary: "Write one of a vault's documents, or add to it. Former texts are kept.",
  effect: 'write',
  input: z.object({
    documentType,
    content: z
      .string()
      .max(maxDocumentChars)
      .describe('The text, or what is added to it; at most 100,000 characters, also once it is added.'),
    mode: z
      .enum(modes)
      .default('replace')
      .describe('append adds the content on a line of its own behind what read-document shows.'),
    expectedVersion: z
      .int()
      .min(0)
      .optional()
      .describe('Fail with 409 unless the document still has this version; 0: unless nobody has written it.'),
    vaultId: fields.vaultId.describe('The vault.'),
    ...fields.common,
  }),
  output: z.looseObject({
    documentType: z.enum(documentTypes),
    updated: z.boolean().describe('False where nothing was to change.'),
    version: z.int(),
    vaultId: z.uuid(),
    length: z.int().describe("Characters of the vault's own text."),
    updatedAt: fields.timestamp.nullable(),
  }),
  examples: {
    input: {
      documentType: 'checks',
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      content: '# Checks\n\n- [ ] The tests pass.\n- [ ] The changelog names what users will notice.\n',
    },
    output: {
      documentType: 'checks',
      updated: true,
      version: 3,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      length: 84,
      updatedAt: '2026-11-21T09:00:00.000Z',
    },
  },
  async run({ documentType: type, content, mode, expectedVersion, agentId, agentRunId }, ctx) {
    const { db, vault, actor } = ctx
    // Read before, since no transaction waits for the unwrapping of keys; only a person changes these, and seldom.
    const [inherited] = await findDefaultDocuments(ctx, [type])
    const author = {
      agentId: claimedAgentId(ctx, agentId),
      agentRunId: agentRunId ?? ctx.request.runId,
      integrationId: actor.integrationId,
    }
    return db.write(async (tx) => {
      if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
      const [before] = await findDocuments(tx, vault, [type])
      const rules = before?.rules ?? shippedRules[type]
      refuseForbidden(rules, mode)
      if (expectedVersion !== undefined && expectedVersion !== (before?.version ?? 0))
        throw conflict(`The document has version ${before?.version ?? 0}, not ${expectedVersion}; read it again`)
      const text = mode === 'replace' ? content : joinTexts(baseOf(type, before, inherited), content)
      if (text.length > maxDocumentChars)
        throw invalid({ content: `the document would have ${text.length} characters, ${maxDocumentChars} at most` })
      const at = ctx.now()
      const answer = { documentType: type, vaultId: vault.id, length: text.length }
      if (before?.content === text || (mode === 'append' && content === ''))
        return {
          ...answer,
          updated: false,
          version: before?.version ?? 0,
          length: before?.content.length ?? 0,
          updatedAt: isoTimeOrNull(before?.updatedAt),
        }
      const templateVersion = before?.templateVersion ?? templates[type].version
      const draft = { documentType: type, rules, templateVersion, content: text, author }
      if (before === undefined) await insertDocument(tx, vault, draft, at)
      else await replaceDocument(tx, vault, before, draft, at)
      return { ...answer, updated: true, version: (before?.version ?? 0) + 1, updatedAt: isoTime(at) }
    })
  },
})

function refuseForbidden({ agentEditable, appendOnly }: DocumentRules, mode: (typeof modes)[number]): void {
  if (!agentEditable)
    throw forbidden(
      'Only people change this document. Propose the change with send-message (targetId "user"), or keep what you have learnt with write-memory.',
    )
  if (appendOnly && mode === 'replace')
    throw forbidden('This document can only be added to. Send the new part alone, with mode "append".')
}

/** What is added to: all that the agent reads, but for what is put before the vault's text in any case. */
function baseOf(type: DocumentType, own: StoredDocument | undefined, inherited: StoredDocument | undefined): string {
  if (own !== undefined) return own.content
  const isMerged = inherited !== undefined && shippedRules[type].inheritMode === 'merge'
  return isMerged ? '' : describeDocument(type, undefined, inherited).content
}
