import { z } from 'zod'
import { invalid, ServiceError, type FieldErrors } from '../core/errors.ts'
import { pauses } from '../core/in-pieces.ts'
import { splitTask, taskContent } from '../memories/task-state.ts'
import { namesIn } from '../notes/folder.ts'
import { wikiTitlesOf } from '../notes/link-notes.ts'
import type { PersonContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { patchSettings, type SettingsOverrides } from '../vaults/settings.ts'
import { openVault } from './open-vault.ts'
import { checkRecord, kinds, type CheckedOf, type CheckedRecord } from './record.ts'
import { findPutAway } from './put-away-store.ts'
import { planBatch, writeBatch, type Outcome } from './write-batch.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A request is answered once all of it is written. */
const maxRecords = 100

const importedOutcome = z.looseObject({
  status: z
    .enum(['created', 'restored', 'existing', 'left', 'failed'])
    .describe(
      '`restored` where it was taken back before and is now as it was then, `left` where it cannot be here, `failed` where something is wrong with it; `reason` says what, and what of a created one was left out.',
    ),
  recordId: z.uuid().optional(),
  reason: z.string().optional(),
})

export const importOrigin = z.looseObject({
  source: z.string().min(1).max(50).describe('The kind of source, such as obsidian.'),
  name: z.string().max(500).describe('What it is called, such as the name of its folder.'),
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
  summary:
    'Write records that come from elsewhere, with their dates and history. What is there already stays as it is, so that a batch can be sent again.',
  effect: 'write',
  changes: ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs'],
  about: ({ importId }) => refs('import', importId),
  bodyLimitBytes: 16 * 1024 * 1024,
  input: z.object({
    vaultId: z.uuid().describe('The vault to import into.'),
    importId: z
      .uuid()
      .describe(
        'Your own id for the whole import; revert-import takes back what was made under it, and from then on it is refused.',
      ),
    origin: importOrigin.optional().describe('What is imported, for the list of imports.'),
    dryRun: z.boolean().default(false).describe('Write nothing, and say what would be new.'),
    records: z
      // Looked at one by one: in a batch of millions of values each takes its time.
      .array(z.unknown().refine(isObject, 'must be an object').meta({ type: 'object', additionalProperties: {} }))
      .min(1)
      .max(maxRecords)
      .describe(
        `1 to ${maxRecords} records as export-records gives them, each with its kind: ${kinds.join(', ')}. What they name comes before them. One that is wrong fails alone.`,
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
  async run({ vaultId, importId, origin, dryRun, records }, ctx) {
    const writer = { ...ctx, vault: await openVault(ctx, vaultId) }
    const pause = pauses()
    const checked: (Refused | { record: CheckedRecord })[] = []
    for (const record of records) {
      checked.push(refuseOrTake(ctx, record))
      await pause()
    }
    const taken = checked.flatMap((one) => ('record' in one ? [one.record] : []))
    const outcomes = dryRun
      ? await planBatch(writer, { importId, records: taken })
      : await writeBatch(writer, { importId, origin, records: taken })
    const outcomeOf = new Map(taken.map((record, at) => [record, outcomes[at]]))
    const existing = taken.filter((record) => outcomeOf.get(record)?.status === 'existing')
    const putAway = await findPutAway(ctx.db.read, writer, existing)
    const results = checked.map((one) => {
      if (!('record' in one)) return one
      return putAway.has(one.record) ? putAwayHere : describe(outcomeOf.get(one.record))
    })
    return { vaultId, importId, dryRun, results }
  },
})

const putAwayHere = {
  status: 'existing',
  reason: 'is archived or in the trash here: restore it to have it back',
} as const

type Refused = { status: 'failed'; reason: string }

function refuseOrTake(ctx: PersonContext, raw: unknown): { record: CheckedRecord } | Refused {
  const { data: record, fields } = checkRecord(raw)
  const wrong = record === undefined ? fields : problemOf(ctx, record)
  if (record !== undefined && wrong === undefined) return { record }
  const [[field, message] = ['', 'is not as it should be']] = Object.entries(wrong ?? {})
  return { status: 'failed', reason: `${field}: ${message}` }
}

/** What would else fail in the transaction, together with all others of the batch. */
function problemOf({ hasLanguageModel }: PersonContext, record: CheckedRecord): FieldErrors | undefined {
  if (record.kind === 'settings' && record.settings.extraction === 'llm' && !hasLanguageModel)
    return { 'settings.extraction': 'is llm, and no language model is configured here' }
  try {
    if (record.kind === 'note') wikiTitlesOf(record.content)
    if (record.kind === 'note') namesIn(record.folderPath ?? '', 'folderPath')
    if (record.kind === 'memory') checkTitle(record)
    if (record.kind === 'folder') namesIn(record.path, 'path')
    if (record.kind === 'settings') patchSettings({}, record.settings as SettingsOverrides)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError && error.fields !== undefined) return error.fields
    throw error
  }
}

function checkTitle({ content, titleChars }: CheckedOf<'memory'>): void {
  const { title, description } = splitTask(content, titleChars)
  const isWhole =
    titleChars === undefined || (titleChars <= content.length && taskContent(title, description) === content)
  if (!isWhole) throw invalid({ titleChars: 'is not where the title ends in the content' })
}

function describe(outcome: Outcome | undefined): z.input<typeof importedOutcome> {
  if (outcome?.status === 'created') return { status: 'created', recordId: outcome.recordId, reason: outcome.reason }
  if (outcome?.status === 'restored') return { status: 'restored', recordId: outcome.recordId }
  return outcome ?? { status: 'failed', reason: 'it was not written' }
}

export type ImportAnswer = z.output<typeof importAnswer>
