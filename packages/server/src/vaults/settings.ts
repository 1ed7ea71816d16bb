import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { type JsonValue, mergePatch } from '../core/json.ts'

/**
 * What can be set for each vault, in one table: range and meaning, with the defaults beside it. Operations take the
 * vault's setting wherever the caller left the field of that name out. Only what differs from the defaults is stored, so
 * that a better default of a later version reaches every vault that never chose its own.
 */

export const sessionModes = ['default', 'planning', 'incident', 'handoff', 'deep', 'minimal', 'none'] as const
export type SessionMode = (typeof sessionModes)[number]

export const documentTypes = ['soul', 'instructions', 'skills', 'checks'] as const
export type DocumentType = (typeof documentTypes)[number]

const share = z.number().min(0).max(1)
const count = (max: number) => z.int().min(0).max(max)
export const maxRetentionDays = 3650
const days = z.int().min(1).max(maxRetentionDays)

/** Ranges that a setting shares with a field of a request. */
export const ranges = {
  threshold: share,
  decayHalfLife: z.int().min(1).max(365),
  diversity: share,
  signalThreshold: count(10),
  signalKeywords: z.array(z.string().min(1).max(100)).max(50),
}

export const extractions = ['off', 'rules', 'llm'] as const

export interface SessionProfile {
  maxEpisodic: number
  maxFacts: number
  maxTasks: number
  maxConstraints: number
  includeDocuments: DocumentType[]
}

export interface VaultSettings {
  threshold: number
  decayHalfLife: number
  diversity: number
  dedup: { nearDuplicate: number; semanticDuplicate: number; supersede: number }
  signalThreshold: number
  customSignalKeywords: string[]
  extraction: (typeof extractions)[number]
  defaultMode: SessionMode
  /** What is missing is as the mode has it. */
  sessionProfiles: Partial<Record<SessionMode, Partial<SessionProfile>>>
  retention: { turnsDays: number | null; archivedDays: number | null; messagesDays: number | null }
}

export const defaultSettings: VaultSettings = {
  threshold: 0.4,
  decayHalfLife: 30,
  diversity: 0.7,
  dedup: { nearDuplicate: 0.85, semanticDuplicate: 0.95, supersede: 0.88 },
  signalThreshold: 3,
  customSignalKeywords: [],
  extraction: 'rules',
  defaultMode: 'default',
  sessionProfiles: {},
  retention: { turnsDays: null, archivedDays: null, messagesDays: null },
}

const dedup = {
  nearDuplicate: share.describe(
    'Whether a text counts as a duplicate that says the same in other words: below 1 it does, whatever the number; at 1 it does not.',
  ),
  semanticDuplicate: share.describe('Likeness of meaning from which one does; at 1 none does.'),
  supersede: share.describe(
    'Likeness from which a newer text about the same entity replaces the older one; at 1 none does.',
  ),
}

const profile = {
  maxEpisodic: count(10).describe('Episodic memories, 0 to 10.'),
  maxFacts: count(20).describe('Facts, preferences, skills and corrections, 0 to 20.'),
  maxTasks: count(10).describe('Tasks, 0 to 10.'),
  maxConstraints: count(20).describe('Constraints, 0 to 20.'),
  includeDocuments: z.array(z.enum(documentTypes)).max(documentTypes.length).describe('Documents.'),
}

const retention = {
  turnsDays: days.describe('Days after which conversation turns are deleted.'),
  archivedDays: days.describe('Days after which archived memories are deleted for good.'),
  messagesDays: days.describe('Days after which messages are deleted.'),
}

const profiles = Object.fromEntries(
  sessionModes.map((mode) => [mode, patchOf(profile, {}).describe(`Of the mode ${mode}; null: as it was shipped.`)]),
)

/** A merge patch: what is left out stays, null goes back to the default, an unknown name is refused with the known ones. */
export const settingsPatch = patchOf(
  {
    threshold: ranges.threshold.describe(
      'Least similarity of a semantic match in search-memories and search-and-read.',
    ),
    decayHalfLife: ranges.decayHalfLife.describe('Days after which the small bonus of recent memories halves.'),
    diversity: ranges.diversity.describe('How far search-memories avoids similar results.'),
    dedup: patchOf(dedup, defaultSettings.dedup).describe('When a write counts as a duplicate.'),
    signalThreshold: ranges.signalThreshold.describe('Score from which ingest-turn looks for memories in a turn.'),
    customSignalKeywords: ranges.signalKeywords.describe('Words of your own that ingest-turn takes as signals.'),
    extraction: z
      .enum(extractions)
      .describe(
        'What makes memories of turns: nothing, rules, or the language model that the operator has configured.',
      ),
    defaultMode: z.enum(sessionModes).describe('Mode of session-start where the caller names none.'),
    sessionProfiles: patchOf(profiles, {}).describe('Numbers and documents of your own for modes of session-start.'),
    retention: patchOf(retention, { turnsDays: 'never', archivedDays: 'never', messagesDays: 'never' }).describe(
      'What is deleted for good after a time.',
    ),
  },
  { ...defaultSettings, dedup: undefined, sessionProfiles: undefined, retention: undefined },
)

function patchOf(shape: Record<string, z.ZodType>, defaults: Record<string, unknown>) {
  const names = Object.keys(shape)
  const fields = Object.entries(shape).map(([name, field]) => {
    const standard = defaults[name] === undefined ? '' : ` Default: ${textOf(defaults[name])}.`
    return [name, field.describe(`${field.description}${standard}`).nullable().optional()]
  })
  return z.strictObject(Object.fromEntries(fields) as Record<string, z.ZodType>, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `there is no ${issue.keys.join(', ')} here, only ${names.join(', ')}`
        : undefined,
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * A field of a request that takes the vault's setting of its name where it is left out. The contract shows the value that the
 * setting has at first.
 */
export const bySetting = (name: 'threshold' | 'decayHalfLife' | 'diversity' | 'signalThreshold', description: string) =>
  ranges[name]
    .optional()
    .meta({ default: defaultSettings[name], description: `${description} Default: the vault's setting.` })

/** What a vault has set, and nothing of the defaults. */
export type SettingsOverrides = Record<string, JsonValue>

export const withDefaults = (overrides: SettingsOverrides): VaultSettings =>
  mergePatch(defaultSettings as unknown as SettingsOverrides, overrides) as unknown as VaultSettings

/** The overrides once patched, without what went back to its default. 400 where values do not fit together. */
export function patchSettings(overrides: SettingsOverrides, patch: SettingsOverrides): SettingsOverrides {
  const patched = withoutDefaults(mergePatch(overrides, patch), { ...defaultSettings })
  const { dedup: limits } = withDefaults(patched)
  if (limits.supersede > limits.semanticDuplicate)
    throw invalid({ 'settings.dedup.supersede': `must not be above semanticDuplicate (${limits.semanticDuplicate})` })
  return patched
}

/** A value that is the default says nothing, nor does an object that holds nothing any more. */
const withoutDefaults = (overrides: SettingsOverrides, defaults: Record<string, unknown>): SettingsOverrides =>
  Object.fromEntries(
    Object.entries(overrides).flatMap(([name, value]): [string, JsonValue][] => {
      const standard = defaults[name]
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        return JSON.stringify(value) === JSON.stringify(standard) ? [] : [[name, value]]
      const inner = withoutDefaults(value, { ...(standard as Record<string, unknown> | undefined) })
      return Object.keys(inner).length === 0 ? [] : [[name, inner]]
    }),
  )

/** Names of the settings whose value differs, in the order of the table. */
export const changedSettings = (before: VaultSettings, after: VaultSettings): string[] =>
  Object.keys(defaultSettings).filter(
    (name) =>
      JSON.stringify(before[name as keyof VaultSettings]) !== JSON.stringify(after[name as keyof VaultSettings]),
  )

/** All settings of a vault, as they are in force. */
export const settingsRecord = z
  .looseObject({
    threshold: z.number(),
    decayHalfLife: z.int(),
    diversity: z.number(),
    dedup: z.looseObject({ nearDuplicate: z.number(), semanticDuplicate: z.number(), supersede: z.number() }),
    signalThreshold: z.int(),
    customSignalKeywords: z.array(z.string()),
    extraction: z.enum(extractions),
    defaultMode: z.enum(sessionModes),
    sessionProfiles: z.record(z.string(), z.looseObject(profile).partial()).describe('By mode: what differs from it.'),
    retention: z.looseObject({
      turnsDays: z.int().nullable(),
      archivedDays: z.int().nullable(),
      messagesDays: z.int().nullable(),
    }),
  })
  .meta({ id: 'VaultSettings' })
