/** Backups of the embedded store: see `backups/create-backups.ts`. */
export interface Backups {
  /** False on PostgreSQL, which has its own tools. Then nothing else here may be called. */
  isSupported: boolean
  folder: string
  /** 0: no automatic backups. */
  everyHours: number
  /** How many automatic backups are kept. */
  keep: number
  /** Newest first. */
  list(): Promise<BackupFile[]>
  running(): RunningBackup | undefined
  /** Why the latest backup failed; undefined after a later one succeeded. */
  lastFailure(): { at: number; reason: string } | undefined
  /** Starts a backup, or returns the one in progress. */
  start(): RunningBackup
  /** Checks the whole file and stores the result. Throws if there is no such backup. */
  verify(id: string): Promise<BackupFile>
  /** Throws if there is no such backup. */
  remove(id: string): Promise<void>
  /** Creates the automatic backup if it is due and deletes old ones. Returns whether it created one. */
  makeDue(signal: AbortSignal): Promise<boolean>
  stop(): Promise<void>
}

export interface BackupFile {
  id: string
  file: string
  bytes: number
  createdAt: number
  /** These three are undefined if the file can't be read. */
  kind: 'manual' | 'automatic' | undefined
  version: string | undefined
  schema: string | undefined
  checkedAt: number
  /** Why it can't be restored, according to the last check; undefined if it can. */
  problem: string | undefined
}

export interface RunningBackup {
  id: string
  kind: 'manual' | 'automatic'
  startedAt: number
  step: 'copying' | 'checking'
  /** Progress of this step. */
  doneBytes: number
  totalBytes: number
}
