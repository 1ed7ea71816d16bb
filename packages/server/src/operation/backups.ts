/** Copies of the embedded store to go back to: see `backups/create-backups.ts`. */
export interface Backups {
  /** False on PostgreSQL, which has tools of its own; nothing else here is then to be called. */
  isSupported: boolean
  folder: string
  /** 0: none are made automatically. */
  everyHours: number
  /** How many automatic ones stay. */
  keep: number
  /** The newest first. */
  list(): Promise<BackupFile[]>
  running(): RunningBackup | undefined
  /** What kept the latest one from being made; undefined once one has been made after it. */
  lastFailure(): { at: number; reason: string } | undefined
  /** Begins one, or tells of the one that is being made. */
  start(): RunningBackup
  /** Looks at all of a file, and keeps what was found. Throws where there is no such backup. */
  verify(id: string): Promise<BackupFile>
  /** Throws where there is no such backup. */
  remove(id: string): Promise<void>
  /** Makes the automatic one where it is due, and lets old ones go. True where one was made. */
  makeDue(signal: AbortSignal): Promise<boolean>
  stop(): Promise<void>
}

export interface BackupFile {
  id: string
  file: string
  bytes: number
  createdAt: number
  /** These three are undefined where the file says nothing of itself any more. */
  kind: 'manual' | 'automatic' | undefined
  version: string | undefined
  schema: string | undefined
  checkedAt: number
  /** Why it could not be restored here, as the last check found; undefined where it could. */
  problem: string | undefined
}

export interface RunningBackup {
  id: string
  kind: 'manual' | 'automatic'
  startedAt: number
  step: 'copying' | 'checking'
  /** Of this step. */
  doneBytes: number
  totalBytes: number
}
