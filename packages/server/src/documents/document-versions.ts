import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import { page, pageOf } from '../operation/page.ts'
import type { DocumentType } from '../vaults/settings.ts'
import { documentType } from './document.ts'
import { countFormerTexts, findDocuments, findFormerText, listFormerTexts, type FormerText } from './store.ts'

/** Former texts of a vault's document, or of a person's own for all vaults. */

export const versionsInput = {
  documentType,
  version: z.coerce.number().int().min(1).optional().describe('Only this one, as `version`, with its content.'),
  limit: fields.limit,
  offset: fields.offset,
}

const formerOutline = {
  version: z.int(),
  agentId: z.string().nullable().describe('Who wrote it; "user" is the person.'),
  agentRunId: z.string().nullable(),
  characters: z.int().describe('How long it was, in UTF-16 units.'),
  updatedAt: fields.timestamp.describe('When it came to be as it was.'),
}

export const versionsOutput = z.union([
  z.looseObject({ versions: z.array(z.looseObject(formerOutline)), ...page }),
  z.looseObject({ version: z.looseObject({ ...formerOutline, content: z.string() }) }),
])

export const exampleVersions = {
  versions: [{ version: 1, agentId: 'user', agentRunId: null, characters: 9, updatedAt: '2026-11-21T09:00:00.000Z' }],
  total: 1,
  limit: 20,
  offset: 0,
  hasMore: false,
}

interface Asked {
  documentType: DocumentType
  version?: number | undefined
  limit: number
  offset: number
}

/** `scope`: undefined where the person has no keys of their own yet, and so has written nothing. */
export async function readVersions(
  db: Reader,
  scope: VaultScope | undefined,
  { documentType: type, version, limit, offset }: Asked,
): Promise<z.input<typeof versionsOutput>> {
  const [document] = scope === undefined ? [] : await findDocuments(db, scope, [type])
  if (scope === undefined || document === undefined) {
    if (version !== undefined) throw notFound('Version')
    return { versions: [], ...pageOf({ limit, offset }, 0) }
  }
  if (version !== undefined) {
    const former = await findFormerText(db, scope, document.id, version)
    if (former === undefined) throw notFound('Version')
    return { version: { ...describe(former), content: former.content } }
  }
  const versions = await listFormerTexts(db, scope, document.id, { limit, offset })
  return {
    versions: versions.map(describe),
    ...pageOf({ limit, offset }, await countFormerTexts(db, scope, document.id)),
  }
}

const describe = ({ version, author, content, at }: FormerText) => ({
  version,
  agentId: author.agentId ?? null,
  agentRunId: author.agentRunId ?? null,
  characters: content.length,
  updatedAt: isoTime(at),
})
