import { z } from 'zod'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { PersonContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { describeSource, source } from '../operation/writer.ts'
import { page, pageOf } from '../operation/page.ts'
import type { DocumentType } from '../vaults/settings.ts'
import { documentType } from './document.ts'
import { countFormerTexts, findDocuments, findFormerText, listFormerTexts, type FormerText } from './store.ts'

/** The former texts of a vault's document, or of a person's document for all vaults: the same answer from two scopes. */

const input = {
  documentType,
  version: z.coerce.number().int().min(1).optional().describe('Only this version, as `version`, with its content.'),
  limit: fields.limit,
  offset: fields.offset,
}

const formerOutline = {
  version: z.int(),
  agentId: z.string().nullable().describe('Who wrote it; "user" is the person.'),
  agentRunId: z.string().nullable(),
  source,
  characters: z.int().describe('Its length in UTF-16 units.'),
  updatedAt: fields.timestamp.describe('When this version was written.'),
}

const output = z.union([
  z.looseObject({ versions: z.array(z.looseObject(formerOutline)), ...page }),
  z.looseObject({ version: z.looseObject({ ...formerOutline, content: z.string() }) }),
])

const exampleVersions = {
  versions: [
    {
      version: 1,
      agentId: 'user',
      agentRunId: null,
      source: { integrationId: null, route: 'update-document', trust: 'user_authored' as const },
      characters: 9,
      updatedAt: '2026-11-21T09:00:00.000Z',
    },
  ],
  total: 1,
  limit: 20,
  offset: 0,
  hasMore: false,
}

export const readDocumentVersions = operation({
  name: 'read-document-versions',
  for: { person: 'GET /api/documents/versions' },
  vault: 'required',
  summary:
    "List the older versions of a vault's document, latest first, or read one with its text: the last 50, and the last one by each writer.",
  effect: 'read',
  outdatedBy: ['documents'],
  input: z.object({ ...fields.ownVault, ...input }),
  output,
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', documentType: 'checks' },
    output: exampleVersions,
  },
  run: (asked, ctx) => readVersions(ctx, ctx.vault, asked),
})

export const readDefaultDocumentVersions = operation({
  name: 'read-default-document-versions',
  for: { person: 'GET /api/documents/defaults/versions' },
  summary:
    'List the older versions of your document for all vaults, latest first, or read one with its text. The last 50 are kept.',
  effect: 'read',
  outdatedBy: ['documents'],
  errors: ['not_found'],
  input: z.object(input),
  output,
  examples: { input: { documentType: 'soul' }, output: exampleVersions },
  async run(asked, ctx) {
    const { userId } = ctx.actor
    const keys = await findPrivateScope(ctx.db.read, ctx.keyring, { userId, mek: ctx.mek })
    return readVersions(ctx, keys && { id: userId, userId, keys }, asked)
  },
})

interface Asked {
  documentType: DocumentType
  version?: number | undefined
  limit: number
  offset: number
}

/** `scope` is undefined if the person has no private keys yet, and so has written nothing. */
async function readVersions(
  ctx: Pick<PersonContext, 'db' | 'instance' | 'actor'>,
  scope: VaultScope | undefined,
  { documentType: type, version, limit, offset }: Asked,
): Promise<z.input<typeof output>> {
  const db = ctx.db.read
  const [document] = scope === undefined ? [] : await findDocuments(db, scope, [type])
  if (scope === undefined || document === undefined) {
    if (version !== undefined) throw notFound('Version')
    return { versions: [], ...pageOf({ limit, offset }, 0) }
  }
  if (version !== undefined) {
    const former = await findFormerText(db, scope, document.id, version)
    if (former === undefined) throw notFound('Version')
    const described = { ...describe(former), content: former.content }
    await addKeyLabels(ctx, [described])
    return { version: described }
  }
  const versions = (await listFormerTexts(db, scope, document.id, { limit, offset })).map(describe)
  await addKeyLabels(ctx, versions)
  return {
    versions,
    ...pageOf({ limit, offset }, await countFormerTexts(db, scope, document.id)),
  }
}

const describe = ({ version, writer, trust, content, at }: FormerText) => ({
  version,
  agentId: writer.agentId ?? null,
  agentRunId: writer.agentRunId ?? null,
  source: describeSource({ ...writer, trust }),
  characters: content.length,
  updatedAt: isoTime(at),
})
