import { failed, type Finding, ok, warning } from '../core/finding.ts'
import { commandLine } from '../core/program.ts'
import { dayMs } from '../core/time.ts'
import type { BackupDrill, Backups } from '../operation/backups.ts'

/** The state of the backups, for operators. */
export interface BackupHealth {
  /**
   * The latest backup that passed its last check, also if it was moved to where the operator wanted it. Those from before updates don't
   * count, because the server deletes them.
   */
  latestAt: number | undefined
  /** How many failed it. */
  damaged: number
  failure: string | undefined
  everyHours: number
  drill: Pick<BackupDrill, 'at' | 'problem'> | undefined
}

/** An older backup would lose too much to be useful. */
const oldDays = 7
const howTo = (instance: string) =>
  `\`${commandLine} backup${instance}\`, or Settings › Backups. \`HOLDFAST_BACKUP_EVERY=24\` creates one every day.`

/** `records`: how many records would be lost. `instance`: options that name the data folder, if it isn't the default. */
export function checkBackups(
  { latestAt, damaged, failure, everyHours, drill }: BackupHealth,
  { records, now, instance }: { records: number; now: number; instance: string },
): Finding {
  const fix = howTo(instance)
  if (failure !== undefined)
    return failed('backup', `The latest backup failed: ${failure}.`, 'Fix the cause. Automatic backups are retried.')
  if (damaged > 0)
    return failed(
      'backup',
      `${damaged} of the backups can't be restored.`,
      `See Settings › Backups for the reason. Create a new backup, and delete the damaged ones: ${fix}`,
    )
  if (drill?.problem !== undefined)
    return failed(
      'backup',
      `The latest restore drill failed: ${drill.problem}`,
      `\`${commandLine} check${instance}\` says whether the store itself has the damage. If it hasn't, create a new backup, then run \`${commandLine} backup drill${instance}\` again.`,
    )
  if (latestAt === undefined)
    return records === 0
      ? ok('backup', 'none yet, and nothing to back up')
      : warning('backup', 'No backups yet. If the disk fails, everything stored on it is lost.', fix)
  const days = Math.floor((now - latestAt) / dayMs)
  const text = `The latest is ${describeDays(days)} old`
  const isOld = days >= Math.max(oldDays, (2 * everyHours) / 24)
  return isOld ? warning('backup', `${text}.`, fix) : ok('backup', `${text}; ${describeDrill(drill, now)}`)
}

const describeDays = (days: number) => (days < 1 ? 'less than a day' : `${days} ${days === 1 ? 'day' : 'days'}`)

const describeDrill = (drill: BackupHealth['drill'], now: number) =>
  drill === undefined
    ? `no restore was tried yet (\`${commandLine} backup drill\`)`
    : `the last restore drill passed ${describeDays(Math.floor((now - drill.at) / dayMs))} ago`

/** Undefined on PostgreSQL, which is backed up with its own tools. */
export async function readBackupHealth(backups: Backups): Promise<BackupHealth | undefined> {
  if (!backups.isSupported) return undefined
  const all = await backups.list()
  const whole = all.filter(({ problem }) => problem === undefined)
  const listedAt = whole.find(({ kind }) => kind !== 'before-update')?.createdAt
  const found = [listedAt, await backups.movedAt()].filter((at) => at !== undefined)
  return {
    latestAt: found.length === 0 ? undefined : Math.max(...found),
    damaged: all.length - whole.length,
    failure: (await backups.lastFailure())?.reason,
    everyHours: backups.everyHours,
    drill: await backups.lastDrill(),
  }
}
