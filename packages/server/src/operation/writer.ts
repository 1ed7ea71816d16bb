import { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { isoTime } from '../core/time.ts'
import { exactTag } from '../crypto/hash.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import { isMembersName } from './claimed-agent.ts'
import { timestamp } from './fields.ts'

/**
 * How far a text can be trusted, lowest first. `imported`: it came from a file, whose authors this instance cannot know.
 * `user_authored`: only people wrote it, in the dashboard or with a dashboard token.
 */
export const trustLevels = ['imported', 'agent_authored', 'user_authored'] as const
export type Trust = (typeof trustLevels)[number]

/** A text is trusted as much as the least trusted of all who shaped it. */
export const lowestTrust = (a: Trust, b: Trust): Trust => (trustLevels.indexOf(a) < trustLevels.indexOf(b) ? a : b)

/** Who changed a text, as the server knows it. Callers choose only `agentId` and `agentRunId`. */
export interface Writer {
  /** Undefined for people. */
  integrationId?: string | undefined
  /** `user` for people. */
  agentId?: string | undefined
  agentRunId?: string | undefined
  /** The operation that changed it. */
  route: string
  at: number
}

/** The writer of a call that is going on. */
export type NamedWriter = Writer & { agentId: string }

export const trustOfActor = ({ kind }: Pick<Actor, 'kind'>): Trust =>
  kind === 'person' ? 'user_authored' : 'agent_authored'

/** The routes of memories and tasks from a file, whose authors this instance doesn't know. */
export const importRoutes = { memory: 'import', task: 'import-task' } as const

/** Whether a text came from a file. Like a person's, it has no integration. */
export const isFromFile = ({ route }: Pick<Writer, 'route'>): boolean =>
  route === importRoutes.memory || route === importRoutes.task

type Who = Omit<Writer, 'route' | 'at'>

/**
 * Whether a change by `next` is a change by someone else, or in another run: the text before it is then kept. People have no runs, and
 * nobody is the unknown author of a file.
 */
export const isOtherWriter = (last: Omit<Writer, 'at'>, next: Omit<Writer, 'at'>): boolean =>
  last.integrationId !== next.integrationId ||
  isFromFile(last) !== isFromFile(next) ||
  // Two people with access to the vault.
  (next.integrationId === undefined && !isFromFile(next) && (last.agentId ?? next.agentId) !== next.agentId) ||
  (next.integrationId !== undefined && last.agentRunId !== next.agentRunId)

/** Finds a run by the id that its agent gave it: two integrations can use the same id. Integration ids have a fixed length. */
export const runTag = (
  { keys }: Pick<VaultScope, 'keys'>,
  { integrationId, agentRunId }: { integrationId: string; agentRunId: string },
): Buffer => exactTag(tagKeys(keys).exact, 'run', `${integrationId}/${agentRunId}`)

/** The tag of the run that a change belongs to; null without one. */
export const runTagOf = (scope: Pick<VaultScope, 'keys'>, { integrationId, agentRunId }: Who): Buffer | null =>
  integrationId === undefined || agentRunId === undefined ? null : runTag(scope, { integrationId, agentRunId })

/** Who shaped a text, stored sealed with it: its author, whose `at` is when the record was created, and its last writer. */
export interface Shapers extends Omit<Writer, 'at'> {
  /** The last change of the text, also if the author made it; undefined if it never changed. */
  changedBy?: Writer | undefined
  /** Whether anyone but the author has ever changed the text. */
  hasOtherWriters?: boolean | undefined
  /** Of all who shaped it. */
  trust: Trust
}

type Name = Pick<Writer, 'integrationId' | 'agentId'>

/** Whether people and agents are shown both as one writer: the same integration under the same name, in whatever run. */
export const isSameName = (a: Name, b: Name): boolean => a.integrationId === b.integrationId && a.agentId === b.agentId

/** After a change of the text: the author stays, and trust can only fall. */
export const shapedBy = (
  before: Shapers,
  writer: Writer,
  trust: Trust,
): Pick<Shapers, 'changedBy' | 'hasOtherWriters' | 'trust'> => ({
  changedBy: writer,
  hasOtherWriters: before.hasOtherWriters === true || !isSameName(before, writer) || undefined,
  trust: lowestTrust(before.trust, trust),
})

/** Who wrote the current text. `createdAt`: when its author did. */
export const lastWriter = (
  { changedBy: last, integrationId, agentId, agentRunId, route }: Shapers,
  createdAt: number,
): Writer => last ?? { integrationId, agentId, agentRunId, route, at: createdAt }

/** In contracts, next to a name. Operations that answer with whole records add it (`addKeyLabels`). */
export const keyLabel = z
  .string()
  .optional()
  .describe('Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted.')

/** Where a text comes from, in contracts. */
export const source = z.looseObject({
  integrationId: z.uuid().nullable().describe("The author's integration; null: a person, or unknown."),
  keyLabel,
  route: z.string().describe('The operation that wrote it first.'),
  trust: z
    .enum(trustLevels)
    .describe('`user_authored` if only people shaped the text, `imported` if some of it came from a file.'),
})

export const describeSource = ({ integrationId, route, trust }: Omit<Shapers, 'changedBy'>) => ({
  integrationId: integrationId ?? null,
  route,
  trust,
})

/** Who wrote a text, in contracts. */
export const writerRecord = z.looseObject({
  integrationId: z.uuid().nullable().describe('null: a person, or unknown if `route` is that of an import.'),
  agentId: z
    .string()
    .nullable()
    .describe('As the caller named itself, `user` for people; only a claim if `route` is that of an import.'),
  keyLabel,
  route: z.string(),
  at: timestamp,
})

/** The last change of a record, in contracts. */
export const changedBy = writerRecord
  .nullable()
  .describe('Who last changed its text, as the server knows it; null while only its author has.')

export const describeKnownWriter = (writer: Writer): z.input<typeof writerRecord> => ({
  integrationId: writer.integrationId ?? null,
  agentId: writer.agentId ?? null,
  route: writer.route,
  at: isoTime(writer.at),
})

export const describeWriter = (writer: Writer | undefined): z.input<typeof changedBy> =>
  writer === undefined ? null : describeKnownWriter(writer)

/** How many former texts of a record are kept at least. */
export const keptVersions = 50

/**
 * What a former text counts as when it is decided which ones are kept: the words of people alone, a person's change of what others
 * wrote, the text of a file, or an agent's. For members of a shared vault, their name follows.
 */
type Provenance = 'user_authored' | 'person' | 'file' | 'agent'

function provenanceOf(
  writer: Pick<Writer, 'integrationId' | 'agentId' | 'route'>,
  trust: Trust,
): Provenance | `${Provenance} ${string}` {
  if (writer.integrationId !== undefined) return 'agent'
  if (isFromFile(writer)) return 'file'
  const persons = trust === 'user_authored' ? 'user_authored' : 'person'
  // Each member is a writer of their own, like the owner.
  return isMembersName(writer.agentId) ? `${persons} ${writer.agentId}` : persons
}

/** The plain columns of a former text, besides its version. `by`: who replaced it, if that is known. */
export const versionColumns = (
  scope: Pick<VaultScope, 'keys'>,
  { writer, trust, by }: { writer: Omit<Writer, 'at'>; trust: Trust; by?: Writer | undefined },
) => ({
  integrationId: writer.integrationId ?? null,
  provenance: provenanceOf(writer, trust),
  replacedInRun: by === undefined ? null : runTagOf(scope, by),
})

/** A former text, as far as it decides which texts are kept. */
export interface KeptVersion {
  version: number
  integrationId: string | null
  provenance: string
  replacedInRun: Uint8Array | null
}

/** What `versionsToDrop` has to read. */
export const keptVersionColumns = ['version', 'integrationId', 'provenance', 'replacedInRun'] as const

/**
 * The former texts to delete, of all that a record has, newest first. The last text of each writer stays, so that nobody can push
 * what someone else wrote out of the history by many changes; of people, also their last text with no word of anyone else. The text
 * that a run replaced first stays too, whatever changed in between: undoing the run brings it back. This holds for the latest 50 runs.
 */
export function versionsToDrop(versions: readonly KeptVersion[]): number[] {
  const seen = new Set<string>()
  const beforeRuns = firstOfRuns(versions)
  return versions
    .filter(({ integrationId, provenance, version }, at) => {
      const writer = integrationId ?? provenance
      const isLastOfItsWriter = !seen.has(writer)
      seen.add(writer)
      return at >= keptVersions && !isLastOfItsWriter && !beforeRuns.has(version)
    })
    .map(({ version }) => version)
}

/** The oldest version that each of the latest runs replaced. */
function firstOfRuns(versions: readonly KeptVersion[]): Set<number> {
  const firsts = new Map<string, number>()
  for (const { version, replacedInRun } of versions) {
    const run = replacedInRun === null ? undefined : Buffer.from(replacedInRun).toString('hex')
    if (run !== undefined && (firsts.has(run) || firsts.size < keptVersions)) firsts.set(run, version)
  }
  return new Set(firsts.values())
}
