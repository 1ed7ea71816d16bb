import { megabytes, whole } from '../figures.ts'
import { table } from '../table.ts'
import type { Losses } from './measure-losses.ts'
import type { QualityFigures } from './measure-quality.ts'
import { watchedWrites, type SpeedFigures } from './measure-speed.ts'

/** A figure, or why there is none. */
export type Measured<T> = { figures: T } | { failure: string }

/** What was measured of one server. Without `quality`, no set was given. */
export interface PeerFigures {
  label: string
  conditions: string
  installedBytes: Measured<number>
  speed: Measured<SpeedFigures>
  kill: Measured<Losses>
  writers: Measured<Losses>
  quality?: Measured<QualityFigures>
}

const columns = [
  'Version',
  'Installed',
  'First write',
  'Writes per second',
  'Synced when acknowledged',
  'Search p50',
  'Memory',
  'Disk',
  'Quality',
  'Killed: lost',
  '16 writers: lost',
  'Readable on disk',
]

export function describePeers(all: readonly PeerFigures[]): string {
  const notes = all.flatMap(listNotes)
  return [
    table(columns, all.map(describeRow)),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
    'How each was installed and called:',
    all.map(({ label, conditions }) => `- **${label}**: ${conditions}`).join('\n'),
  ].join('\n\n')
}

function describeRow({ label, installedBytes, speed, kill, writers, quality }: PeerFigures): string[] {
  const cell = <T>(measured: Measured<T> | undefined, describe: (figures: T) => string) => {
    if (measured === undefined) return '–'
    return 'failure' in measured ? 'failed' : describe(measured.figures)
  }
  return [
    label,
    cell(installedBytes, (bytes) => `${whole(megabytes(bytes))} MB`),
    cell(speed, ({ firstWriteMs }) => `${(firstWriteMs / 1_000).toPrecision(2)} s`),
    cell(speed, ({ writesPerSecond }) => (writesPerSecond < 10 ? writesPerSecond.toFixed(1) : whole(writesPerSecond))),
    cell(speed, describeSynced),
    cell(speed, ({ searchP50 }) => `${searchP50 < 10 ? searchP50.toFixed(1) : whole(searchP50)} ms`),
    cell(speed, ({ rssBytes }) => `${megabytes(rssBytes)} MB`),
    cell(speed, ({ bytesPerMemory }) => `${whole(bytesPerMemory)} bytes`),
    cell(quality, describeQuality),
    cell(kill, describeLosses),
    cell(writers, describeLosses),
    cell(speed, ({ readable }) => (readable.length > 0 ? 'yes' : 'no')),
  ]
}

function describeSynced({ synced }: SpeedFigures): string {
  if (synced === undefined) return '–'
  if (synced === 0) return 'no'
  return synced === watchedWrites ? 'yes' : `${synced} of ${watchedWrites}`
}

export const describeQuality = ({ recall10, ndcg10 }: QualityFigures): string =>
  `${(100 * recall10).toFixed(1)} / ${(100 * ndcg10).toFixed(1)}`

const describeLosses = ({ acknowledged, lost }: Losses): string => `${lost} of ${acknowledged}`

/** What the cells have no room for. */
function listNotes({ label, installedBytes, speed, kill, writers, quality }: PeerFigures): string[] {
  const steps = { Installation: installedBytes, Speed: speed, Killed: kill, '16 writers': writers, Quality: quality }
  const failures = new Map<string, string[]>()
  for (const [step, measured] of Object.entries(steps))
    if (measured !== undefined && 'failure' in measured)
      failures.set(measured.failure, [...(failures.get(measured.failure) ?? []), step])
  const refused = [speed, quality].flatMap((measured) =>
    measured !== undefined && 'figures' in measured ? [measured.figures.refused] : [],
  )
  const total = refused.reduce((sum, count) => sum + count, 0)
  return [
    ...[...failures].map(([why, where]) => `${label}, ${where.join(', ')}: ${why}`),
    ...(total === 0 ? [] : [`${label} refused ${whole(total)} of the texts, which count as not found.`]),
  ]
}
