import { z } from 'zod'
import { invalid, ServiceError, type FieldErrors } from '../core/errors.ts'
import { pauses } from '../core/in-pieces.ts'
import { splitTask, taskContent } from '../memories/task-state.ts'
import { namesIn } from '../notes/folder.ts'
import { wikiTitlesOf } from '../notes/link-notes.ts'
import type { PersonContext, PersonVaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { patchSettings, type SettingsOverrides } from '../vaults/settings.ts'
import { checkRecord, kinds, type CheckedOf, type CheckedRecord } from './record.ts'
import { disown } from './disown.ts'
import { findPlaces } from './find-places.ts'
import { listArchivedIds } from './place-store.ts'
import { isSigned, type WireRecord } from './signature.ts'
import { planBatch, writeBatch, type Outcome } from './write-batch.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The request is answered after all records are written. */
const maxRecords = 100

const importedOutcome = z.looseObject({
  status: z
    .enum(['created', 'restored', 'existing', 'left', 'failed'])
    .describe(
      '`restored`: a revert had removed it, and it is back. `left`: it cannot be imported here. `failed`: it is invalid. `reason` says why, and what is missing from a created record.',
    ),
  recordId: z.uuid().optional(),
  reason: z.string().optional(),
})

export const importOrigin = z.looseObject({
  source: z.string().min(1).max(100).describe('The kind of source, such as obsidian, or several with commas.'),
  name: z.string().max(500).describe('Its name, such as the name of its folder.'),
})

export const importAnswer = z.looseObject({
  vaultId: z.uuid(),
  importId: z.uuid(),
  dryRun: z.boolean(),
  results: z.array(importedOutcome).describe('In the order of the records.'),
})

export const importRecords = operation({
  name: 'import-records',
  for: { person: 'POST /api/imports/records' },
  vault: 'required',
  leastRole: 'owner',
  summary:
    'Write records from another source, with their dates and history. Existing records stay unchanged, so a batch can be repeated. A record keeps its author only if this instance exported it for you and it is unchanged; otherwise the author is a claim (`trust` is `imported`).',
  effect: 'write',
  changes: ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs'],
  isDryRun: ({ dryRun }) => dryRun,
  about: ({ importId }) => refs('import', importId),
  bodyLimitBytes: 16 * 1024 * 1024,
  errors: ['conflict'],
  input: z.object({
    ...ownVault,
    importId: z
      .uuid()
      .describe(
        'Your own id for the whole import. revert-import removes what was created under it; after that, the id is rejected.',
      ),
    origin: importOrigin.optional().describe('What is imported, for the list of imports.'),
    dryRun: z.boolean().default(false).describe('Write nothing, and return what would be new.'),
    records: z
      // Checked one by one, since checking a batch of millions of values takes long.
      .array(z.unknown().refine(isObject, 'must be an object').meta({ type: 'object', additionalProperties: {} }))
      .min(1)
      .max(maxRecords)
      .describe(
        `1 to ${maxRecords} records as export-records returns them, each with its kind: ${kinds.join(', ')}. Records they name come first. An invalid record does not affect the others.`,
      ),
  }),
  output: importAnswer,
  examples: {
    input: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      importId: '0198c5f0-0000-7000-8000-000000000901',
      dryRun: true,
      records: [{ kind: 'note', externalWriteId: 'obsidian:9f2c', title: 'Backups', content: 'Every night.' }],
    },
    output: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      importId: '0198c5f0-0000-7000-8000-000000000901',
      dryRun: true,
      results: [{ status: 'created' }],
    },
  },
  async run({ importId, origin, dryRun, records }, ctx) {
    const pause = pauses()
    const checked: (Refused | { record: CheckedRecord })[] = []
    for (const record of records) {
      checked.push(refuseOrTake(ctx, record))
      await pause()
    }
    const taken = checked.flatMap((one) => ('record' in one ? [one.record] : []))
    const outcomes = dryRun
      ? await planBatch(ctx, { importId, records: taken })
      : // Webhooks get no events, which could be many thousands.
        await writeBatch({ ...ctx, vault: { ...ctx.vault, isWatched: false } }, { importId, origin, records: taken })
    const outcomeOf = new Map(taken.map((record, at) => [record, outcomes[at]]))
    const existing = taken.filter((record) => outcomeOf.get(record)?.status === 'existing')
    const archived = await findArchived(ctx, existing)
    const results = checked.map((one) => {
      if (!('record' in one)) return one
      return archived.has(one.record) ? archivedHere : describe(outcomeOf.get(one.record))
    })
    return { vaultId: ctx.vault.id, importId, dryRun, results }
  },
})

/** Existing records that are archived or in the trash here, but not in the source. An import doesn't restore them, and says so. */
async function findArchived(
  ctx: Pick<PersonVaultContext, 'db' | 'vault'>,
  records: readonly CheckedRecord[],
): Promise<Set<CheckedRecord>> {
  const shown = records.filter((record) => isShown(record))
  if (shown.length === 0) return new Set()
  const places = await findPlaces(ctx.db.read, ctx, shown, new Map())
  const idOf = (record: CheckedRecord) => places.of(record)?.id ?? ''
  const archived = await listArchivedIds(ctx.db.read, ctx.vault, [...new Set(shown.map(idOf))])
  return new Set(shown.filter((record) => archived.has(idOf(record))))
}

const isShown = (record: CheckedRecord): boolean =>
  (record.kind === 'note' && record.trashedAt === undefined) ||
  (record.kind === 'memory' && record.archivedAt === undefined)

const archivedHere = {
  status: 'existing',
  reason: 'is archived or in the trash here. Restore it to see it again',
} as const

type Refused = { status: 'failed'; reason: string }

/** A record keeps its author only if this instance has exported it like this for the same person. */
function refuseOrTake(
  ctx: Pick<PersonVaultContext, 'hasLanguageModel' | 'instance' | 'vault'>,
  raw: Record<string, unknown>,
): { record: CheckedRecord } | Refused {
  const { data: record, fields } = checkRecord(raw)
  const wrong = record === undefined ? fields : problemOf(ctx, record)
  if (record !== undefined && wrong === undefined) {
    const isOwn = isSigned({ instance: ctx.instance, userId: ctx.vault.userId }, raw as WireRecord)
    return { record: isOwn ? record : disown(record) }
  }
  const [[field, message] = ['', 'is invalid']] = Object.entries(wrong ?? {})
  return { status: 'failed', reason: `${field}: ${message}` }
}

/** Finds problems that would otherwise make the transaction, and so the whole batch, fail. */
function problemOf(
  { hasLanguageModel }: Pick<PersonContext, 'hasLanguageModel'>,
  record: CheckedRecord,
): FieldErrors | undefined {
  if (record.kind === 'settings' && record.settings.extraction === 'llm' && !hasLanguageModel)
    return { 'settings.extraction': 'is llm, but no language model is configured here' }
  try {
    if (record.kind === 'note') wikiTitlesOf(record.content)
    if (record.kind === 'note') namesIn(record.folderPath ?? '', 'folderPath')
    if (record.kind === 'memory' || record.kind === 'memoryVersion') checkTitle(record)
    if (record.kind === 'folder') namesIn(record.path, 'path')
    if (record.kind === 'settings') patchSettings({}, record.settings as SettingsOverrides)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError && error.fields !== undefined) return error.fields
    throw error
  }
}

function checkTitle({ content, titleChars }: CheckedOf<'memory' | 'memoryVersion'>): void {
  const { title, description } = splitTask(content, titleChars)
  const isWhole =
    titleChars === undefined || (titleChars <= content.length && taskContent(title, description) === content)
  if (!isWhole) throw invalid({ titleChars: 'is not where the title ends in the content' })
}

function describe(outcome: Outcome | undefined): z.input<typeof importedOutcome> {
  if (outcome?.status === 'created') return { status: 'created', recordId: outcome.recordId, reason: outcome.reason }
  if (outcome?.status === 'restored') return { status: 'restored', recordId: outcome.recordId }
  return outcome ?? { status: 'failed', reason: 'was not written' }
}

export type ImportAnswer = z.output<typeof importAnswer>
