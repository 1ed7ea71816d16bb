import type { z } from 'zod'
import { listVaults, vaultList } from '../vaults/list-vaults.ts'
import { exportPage, exportRecords } from '../transfer/export-records.ts'
import type { Kind, TransferRecord } from '@holdfast/transfer/record'
import type { Caller } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { findUserId, findVaultId } from './find-by-name.ts'
import { findProjectFile } from './agent-client.ts'

/** The vault to import into or to export, and its user. */
export interface TransferTarget {
  actAs: string | undefined
  vault: { vaultId: string; name: string; description: string | null; isDefault: boolean }
  /** How many other vaults the user has. */
  otherVaults: number
}

/** The given vault, or else the one in `.holdfast.json`, or else the default vault. */
export async function findTarget(
  { call }: Caller,
  { email, vault }: { email?: string; vault?: string },
): Promise<TransferTarget> {
  const actAs = await findUserId(call, email)
  const wanted = vault ?? findProjectFile(process.cwd())?.vault
  const wantedId = wanted === undefined ? undefined : await findVaultId(call, actAs, wanted)
  for (let offset = 0, hasMore = true; hasMore; offset += 100) {
    const page = readAnswer(vaultList, await call(listVaults, { limit: 100, offset }, { actAs }))
    const found = page.vaults.find(({ vaultId, isDefault }) =>
      wantedId === undefined ? isDefault : vaultId === wantedId,
    )
    if (found !== undefined) return { actAs, vault: found, otherVaults: page.total - 1 }
    hasMore = page.hasMore
  }
  throw new CommandError(exitCodes.notFound, 'No default vault.', 'Choose a vault with --vault.')
}

/** All records of a kind, page by page. */
export async function* recordsOf(
  { call }: Caller,
  { actAs, vault: { vaultId } }: TransferTarget,
  kind: Kind,
): AsyncGenerator<TransferRecord> {
  for (let after: string | null = ''; after !== null;) {
    const page: z.output<typeof exportPage> = readAnswer(
      exportPage,
      await call(exportRecords, { vaultId, kind, after }, { actAs }),
    )
    // The import checks them.
    yield* page.records as unknown as TransferRecord[]
    after = page.next
  }
}

/** Shows a running count on a terminal, and otherwise prints a line every 5 seconds. */
export function showProgress(what: string, isQuiet: boolean): { step(done: number): void; end(): void } {
  const isTerminal = process.stderr.isTTY
  let shownAt = Date.now()
  const step = (done: number) => {
    const at = Date.now()
    if (isQuiet || at - shownAt < (isTerminal ? 100 : 5_000)) return
    shownAt = at
    process.stderr.write(
      isTerminal ? `\r${what} ${done.toLocaleString('en')} records\u001b[K` : `${what} ${done} records\n`,
    )
  }
  return { step, end: () => void (isTerminal && !isQuiet && process.stderr.write('\r\u001b[K')) }
}

const names: Record<string, readonly [one: string, several: string]> = {
  settings: ['set of settings', 'sets of settings'],
  folder: ['folder', 'folders'],
  note: ['note', 'notes'],
  noteVersion: ['note version', 'note versions'],
  memory: ['memory', 'memories'],
  memoryVersion: ['memory version', 'memory versions'],
  task: ['task', 'tasks'],
  link: ['link', 'links'],
  message: ['message', 'messages'],
  document: ['document', 'documents'],
  documentVersion: ['document version', 'document versions'],
}

/** `3 notes`. An unknown kind is printed unchanged. */
export function countOf(kind: string, count: number): string {
  const [one, several] = names[kind] ?? [kind, kind]
  return `${count} ${count === 1 ? one : several}`
}
