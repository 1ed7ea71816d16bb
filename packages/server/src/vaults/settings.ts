import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { type JsonValue, mergePatch } from '../core/json.ts'

/**
 * The settings of a vault, with ranges, meanings and defaults. Operations use a setting if the caller omits the field of the same name.
 * Only values that differ from the defaults are stored, so that a better default in a later version applies to every vault that did
 * not choose its own.
 */

export const sessionModes = ['default', 'planning', 'incident', 'handoff', 'deep', 'minimal', 'none'] as const
export type SessionMode = (typeof sessionModes)[number]

export const documentTypes = ['soul', 'instructions', 'skills', 'checks'] as const
export type DocumentType = (typeof documentTypes)[number]

const share = z.number().min(0).max(1)
const count = (max: number) => z.int().min(0).max(max)
export const maxRetentionDays = 3650
const days = z.int().min(1).max(maxRetentionDays)

/** Ranges shared by a setting and a field of a request. */
export const ranges = {
  threshold: share,
  decayHalfLife: z.int().min(1).max(365),
  diversity: share,
  signalThreshold: count(10),
  signalKeywords: z.array(z.string().min(1).max(100)).max(50),
}

const extractions = ['off', 'rules', 'llm'] as const

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
  preferNewer: boolean
  dedup: { nearDuplicate: number; semanticDuplicate: number; supersede: number }
  signalThreshold: number
  customSignalKeywords: string[]
  extraction: (typeof extractions)[number]
  defaultMode: SessionMode
  /** Missing values are the mode's own. */
  sessionProfiles: Partial<Record<SessionMode, Partial<SessionProfile>>>
  retention: { turnsDays: number | null; archivedDays: number | null; messagesDays: number | null }
}

export const defaultSettings: VaultSettings = {
  threshold: 0.4,
  decayHalfLife: 30,
  diversity: 0.7,
  preferNewer: true,
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
    'Below 1, a text that says the same thing in other words counts as a duplicate, regardless of the exact number. 1 turns this off.',
  ),
  semanticDuplicate: share.describe(
    'Similarity from which a text with the same meaning counts as a duplicate. 1 turns this off.',
  ),
  supersede: share.describe(
    'Similarity from which a newer text about the same entity replaces the older one. 1 turns this off.',
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
  archivedDays: days.describe('Days after which archived memories are deleted permanently.'),
  messagesDays: days.describe('Days after which messages are deleted.'),
}

const profiles = Object.fromEntries(
  sessionModes.map((mode) => [
    mode,
    patchOf(profile, {}).describe(`For the mode ${mode}; null: the built-in profile.`),
  ]),
)

/** A merge patch: omitted settings stay, null resets one to its default, and an unknown name is an error that lists the known ones. */
export const settingsPatch = patchOf(
  {
    threshold: ranges.threshold.describe(
      'Minimum similarity of a semantic match in search-memories and search-and-read.',
    ),
    decayHalfLife: ranges.decayHalfLife.describe('Days after which the small bonus for recent memories halves.'),
    diversity: ranges.diversity.describe('How strongly search-memories avoids similar results.'),
    preferNewer: z
      .boolean()
      .describe('Whether searches rank a statement lower if a newer one about the same subject also fits.'),
    dedup: patchOf(dedup, defaultSettings.dedup).describe('When a write counts as a duplicate.'),
    signalThreshold: ranges.signalThreshold.describe('Score from which ingest-turn looks for memories in a turn.'),
    customSignalKeywords: ranges.signalKeywords.describe('Additional words that ingest-turn treats as signals.'),
    extraction: z
      .enum(extractions)
      .describe(
        'What extracts memories from turns: nothing, rules, or the language model that the operator has configured.',
      ),
    defaultMode: z.enum(sessionModes).describe("Mode of session-start if a call doesn't name one."),
    sessionProfiles: patchOf(profiles, {}).describe('Your own numbers and documents for modes of session-start.'),
    retention: patchOf(retention, { turnsDays: 'never', archivedDays: 'never', messagesDays: 'never' }).describe(
      'When old records are deleted permanently.',
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

/** A field of a request that defaults to the vault's setting of the same name. The contract shows the setting's own default. */
export const bySetting = (name: 'threshold' | 'decayHalfLife' | 'diversity' | 'signalThreshold', description: string) =>
  ranges[name]
    .optional()
    .meta({ default: defaultSettings[name], description: `${description} Default: the vault's setting.` })

/** The values that a vault has set, without defaults. */
export type SettingsOverrides = Record<string, JsonValue>

export const withDefaults = (overrides: SettingsOverrides): VaultSettings =>
  mergePatch(defaultSettings as unknown as SettingsOverrides, overrides) as unknown as VaultSettings

/** The patched overrides, without values that are back at their defaults. 400 if values contradict each other. */
export function patchSettings(overrides: SettingsOverrides, patch: SettingsOverrides): SettingsOverrides {
  const patched = withoutDefaults(mergePatch(overrides, patch), { ...defaultSettings })
  const { dedup: limits } = withDefaults(patched)
  if (limits.supersede > limits.semanticDuplicate)
    throw invalid({ 'settings.dedup.supersede': `must not be above semanticDuplicate (${limits.semanticDuplicate})` })
  return patched
}

/** Removes values that equal their defaults, and objects that become empty. */
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

/** The names of the settings that differ, in the order of the defaults. */
export const changedSettings = (before: VaultSettings, after: VaultSettings): string[] =>
  Object.keys(defaultSettings).filter(
    (name) =>
      JSON.stringify(before[name as keyof VaultSettings]) !== JSON.stringify(after[name as keyof VaultSettings]),
  )

/** All settings of a vault, as in effect. */
export const settingsRecord = z
  .looseObject({
    threshold: z.number(),
    decayHalfLife: z.int(),
    diversity: z.number(),
    preferNewer: z.boolean(),
    dedup: z.looseObject({ nearDuplicate: z.number(), semanticDuplicate: z.number(), supersede: z.number() }),
    signalThreshold: z.int(),
    customSignalKeywords: z.array(z.string()),
    extraction: z.enum(extractions),
    defaultMode: z.enum(sessionModes),
    sessionProfiles: z
      .record(z.string(), z.looseObject(profile).partial())
      .describe('By mode: values that differ from its built-in profile.'),
    retention: z.looseObject({
      turnsDays: z.int().nullable(),
      archivedDays: z.int().nullable(),
      messagesDays: z.int().nullable(),
    }),
  })
  .meta({ id: 'VaultSettings' })
