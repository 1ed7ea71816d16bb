import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { documentType } from './document.ts'
import { exampleVaultId } from './persons-document.ts'
import { countFormerTexts, findDocuments, findFormerText, listFormerTexts, type FormerText } from './store.ts'

const formerOutline = {
  version: z.int(),
  agentId: z.string().nullable().describe('Who wrote it; "user" is the person.'),
  agentRunId: z.string().nullable(),
  characters: z.int().describe('How long it was, in UTF-16 units.'),
  updatedAt: fields.timestamp.describe('When it came to be as it was.'),
}

export const readDocumentVersions = dashboardVaultOperation({
  name: 'read-document-versions',
  method: 'GET',
  path: '/api/documents/versions',
  summary: "What a vault's document was before its last 50 changes, the latest first; or one of these, with its text.",
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    documentType,
    version: z.coerce.number().int().min(1).optional().describe('Only this one, as `version`, with its content.'),
    limit: fields.queryLimit,
    offset: fields.queryOffset,
  }),
  output: z.union([
    z.looseObject({ versions: z.array(z.looseObject(formerOutline)), ...page }),
    z.looseObject({ version: z.looseObject({ ...formerOutline, content: z.string() }) }),
  ]),
  examples: {
    input: { vaultId: exampleVaultId, documentType: 'checks' },
    output: {
      versions: [
        { version: 1, agentId: 'user', agentRunId: null, characters: 9, updatedAt: '2026-11-21T09:00:00.000Z' },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ documentType: type, version, limit, offset }, { db, vault }) {
    const [document] = await findDocuments(db.read, vault, [type])
    if (version !== undefined) {
      const former = document && (await findFormerText(db.read, vault, document.id, version))
      if (former === undefined) throw notFound('Version')
      return { version: { ...describe(former), content: former.content } }
    }
    if (document === undefined) return { versions: [], ...pageOf({ limit, offset }, 0) }
    const versions = await listFormerTexts(db.read, vault, document.id, { limit, offset })
    return {
      versions: versions.map(describe),
      ...pageOf({ limit, offset }, await countFormerTexts(db.read, vault, document.id)),
    }
  },
})

const describe = ({ version, author, content, at }: FormerText) => ({
  version,
  agentId: author.agentId ?? null,
  agentRunId: author.agentRunId ?? null,
  characters: content.length,
  updatedAt: isoTime(at),
})
