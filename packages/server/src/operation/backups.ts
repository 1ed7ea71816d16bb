/** `before-update`: the server made it on its own at a start, before it changed the tables. */
export const backupKinds = ['manual', 'automatic', 'before-update'] as const
export type BackupKind = (typeof backupKinds)[number]

/** Backups of the embedded store: see `backups/create-backups.ts`. */
export interface Backups {
  /** False on PostgreSQL, which has its own tools. Then nothing else here may be called. */
  isSupported: boolean
  folder: string
  /** 0: no automatic backups. */
  everyHours: number
  /** How many automatic backups are kept. */
  keep: number
  /** Whether backups are also copied to S3. */
  isCopied: boolean
  /** The copies in S3; undefined without such a setting. Lists them again if the last list is a minute old. */
  listCopies(): Promise<CopiedBackups | undefined>
  /** Newest first. */
  list(): Promise<BackupFile[]>
  /** When the backup was made that the command line last moved out of the folder; undefined if it is no longer there. */
  movedAt(): Promise<number | undefined>
  running(): RunningBackup | undefined
  /** Why the latest backup failed, also if that was before a restart; undefined after a later one succeeded. */
  lastFailure(): Promise<BackupFailure | undefined>
  /** The latest restore drill of the command line; undefined before the first one. */
  lastDrill(): Promise<BackupDrill | undefined>
  /** Starts a backup, or returns the one in progress. */
  start(): RunningBackup
  /** Checks the whole file and stores the result. Throws if there is no such backup. */
  verify(id: string): Promise<BackupFile>
  /** Throws if there is no such backup. */
  remove(id: string): Promise<void>
  /** Deletes backups from before updates: those that are due, or all of them. Returns how many. */
  deleteBeforeUpdate(which: 'due' | 'all'): Promise<number>
  /**
   * Creates the automatic backup if it is due, or else copies to S3 what isn't there yet, and deletes old automatic ones in both places.
   * Returns whether it created one.
   */
  makeDue(signal: AbortSignal): Promise<boolean>
  stop(): Promise<void>
}

export interface CopiedBackups {
  /** As in `s3://bucket/prefix/`. */
  url: string
  /** Why they can't be listed; then `items` are the last known ones. */
  problem: string | undefined
  /** Newest first. */
  items: CopiedBackup[]
}

interface CopiedBackup {
  id: string
  url: string
  bytes: number
  createdAt: number | undefined
  /** Undefined if it can't be read, as is `createdAt`. */
  kind: BackupKind | undefined
}

export interface BackupFailure {
  at: number
  reason: string
  /** The backup was made, but not copied to S3. */
  during?: 'upload' | undefined
}

export interface BackupDrill {
  at: number
  /** When the backup was made that it restored. */
  backupAt: number
  /** The first thing that differed; undefined if nothing did. */
  problem: string | undefined
}

export interface BackupFile {
  id: string
  file: string
  bytes: number
  createdAt: number
  /** These three are undefined if the file can't be read. */
  kind: BackupKind | undefined
  version: string | undefined
  schema: string | undefined
  checkedAt: number
  /** Why it can't be restored, according to the last check; undefined if it can. */
  problem: string | undefined
  /** When the server deletes it on its own, if it depends only on time. */
  expiresAt: number | undefined
}

export interface RunningBackup {
  id: string
  kind: BackupKind
  startedAt: number
  /** `uploading`: to S3. */
  step: 'copying' | 'checking' | 'uploading'
  /** Progress of this step. */
  doneBytes: number
  totalBytes: number
}
