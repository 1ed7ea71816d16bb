import { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { isoTime } from '../core/time.ts'
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

export const trustOfActor = ({ kind }: Pick<Actor, 'kind'>): Trust =>
  kind === 'person' ? 'user_authored' : 'agent_authored'

/** Whether a change by `next` is a change by someone else, or in another run: the text before it is then kept. */
export const isOtherWriter = (last: Omit<Writer, 'route' | 'at'>, next: Writer): boolean =>
  last.integrationId !== next.integrationId || last.agentRunId !== next.agentRunId

/** The last change of a record, in contracts. */
export const changedBy = z
  .looseObject({
    integrationId: z.uuid().nullable().describe('null: a person changed it.'),
    agentId: z.string().nullable().describe('As the caller named itself; `user` for people.'),
    route: z.string(),
    at: timestamp,
  })
  .nullable()
  .describe('Who last changed its text, as the server knows it; null if only its author wrote it.')

export const describeWriter = (writer: Writer | undefined): z.input<typeof changedBy> =>
  writer === undefined
    ? null
    : {
        integrationId: writer.integrationId ?? null,
        agentId: writer.agentId ?? null,
        route: writer.route,
        at: isoTime(writer.at),
      }

/** How many former texts of a record are kept at least. */
const keptVersions = 50

/**
 * The former texts to delete, of all that a record has, newest first. The last text of each writer stays, so that nobody can push
 * what someone else wrote out of the history by many changes.
 */
export function versionsToDrop(versions: readonly { version: number; integrationId: string | null }[]): number[] {
  const seen = new Set<string | null>()
  return versions
    .filter(({ integrationId }, at) => {
      const isLastOfItsWriter = !seen.has(integrationId)
      seen.add(integrationId)
      return at >= keptVersions && !isLastOfItsWriter
    })
    .map(({ version }) => version)
}
