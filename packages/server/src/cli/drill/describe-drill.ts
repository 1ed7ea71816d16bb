import { isoTime } from '../../core/time.ts'
import { ageOf } from '../human.ts'
import { printable } from '../options.ts'
import { megabytes } from '../restore-command.ts'
import type { Drilled, StepName } from './drill.ts'

export const labels: Readonly<Record<StepName, string>> = {
  verify: 'Verified',
  restore: 'Restored',
  compare: 'Compared',
  open: 'Opened',
  check: 'Checked',
  search: 'Searched',
}

interface About {
  file: string
  /** When the drill began. */
  at: number
}

/** What a real restore takes: the other steps only prove that it worked. */
const restoreSteps: ReadonlySet<StepName> = new Set(['verify', 'restore', 'open'])

const restoreMs = ({ steps }: Drilled): number =>
  steps.filter(({ step }) => restoreSteps.has(step)).reduce((sum, { ms }) => sum + ms, 0)

export const toJson = ({ file, at }: About, drilled: Drilled) => ({
  file,
  manifest: drilled.end.manifest,
  sha256: drilled.end.sha256,
  at: isoTime(at),
  ageMs: at - Date.parse(drilled.end.manifest.createdAt),
  restoreMs: restoreMs(drilled),
  steps: drilled.steps,
  rows: drilled.rows ?? null,
  searched: drilled.searched,
  problems: drilled.problems,
})

const maxNamed = 20

export function describeDrill({ file, at }: About, drilled: Drilled): string[] {
  const { end, steps, problems } = drilled
  const { createdAt, version } = end.manifest
  const named = problems.slice(0, maxNamed).map((problem) => `  ${printable(problem)}`)
  return [
    printable(file),
    `  Created    ${createdAt}, by Holdfast ${version}`,
    ...steps.map(
      ({ step, ms }) => `  ${labels[step].padEnd(9)} ${seconds(ms).padStart(8)}  ${describeStep(step, drilled)}`,
    ),
    ...(problems.length === 0 ? [] : ['', ...named]),
    ...(problems.length > maxNamed ? [`  and ${problems.length - maxNamed} more`] : []),
    '',
    `A restore takes about ${seconds(restoreMs(drilled))}. It would lose what was written since the backup (${ageOf(createdAt, at)}).`,
    'The temporary copy is deleted.',
  ]
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

function describeStep(step: StepName, { end: { manifest }, rows, problems, searched }: Drilled): string {
  if (step === 'verify') return `${megabytes(manifest.databaseBytes)}, intact, and the root key opens it`
  if (step === 'restore') return 'to a temporary folder'
  if (step === 'compare') return describeCompared(manifest.rows)
  if (step === 'open') return 'as a server opens it'
  if (step === 'check')
    return `${rows} rows of users${problems.length === searched.missed.length ? ', every encrypted value opens' : ''}`
  return describeSearched(searched)
}

function describeCompared(rows: Record<string, number> | undefined): string {
  if (rows === undefined) return 'the same as in the backup, byte by byte'
  const counts = Object.values(rows)
  return `the same as in the backup: ${counts.reduce((sum, count) => sum + count, 0)} rows in ${counts.length} tables`
}

function describeSearched({ vaults, memories, compared, missed }: Drilled['searched']): string {
  if (memories === 0) return 'no memories to search for'
  const found = `${memories - missed.length} of ${memories} memories found in ${vaults} ${vaults === 1 ? 'vault' : 'vaults'}`
  return compared === 0 ? found : `${found}, ${compared} compared with the running server`
}
