import type { Vault } from '@holdfast/client/dashboard'
import type { Kind, TransferRecord } from '@holdfast/transfer/record'
import { writeArchive } from '@holdfast/transfer/write-archive'
import { call } from '../../api/call.ts'
import { ZipFile } from './zip.ts'

export interface ExportProgress {
  records: number
  bytes: number
}

/**
 * Exports a vault as a zip file. Only one page of records is in memory at a time. `ids`: exports only these memories (up to 50) and
 * the links between them.
 */
export async function exportVault(
  vault: Vault,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
  ids?: readonly string[],
): Promise<Blob> {
  const { version } = await call('read-system', {}, signal)
  const zip = new ZipFile()
  let shownAt = 0
  await writeArchive(zip, {
    vault: { vaultId: vault.id, name: vault.name, description: vault.description },
    version,
    exportedAt: new Date().toISOString(),
    records: (kind) => recordsOf(vault.id, kind, ids, signal),
    onProgress(records) {
      if (performance.now() - shownAt < 100) return
      shownAt = performance.now()
      onProgress({ records, bytes: zip.bytes })
    },
  })
  return zip.toBlob()
}

async function* recordsOf(
  vaultId: string,
  kind: Kind,
  ids: readonly string[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<TransferRecord> {
  for (let after: string | null = ''; after !== null;) {
    const page: { records: Record<string, unknown>[]; next: string | null } = await call(
      'export-records',
      { vaultId, kind, after, id: ids && [...ids] },
      signal,
    )
    // Not validated here. The import does that.
    yield* page.records as unknown as TransferRecord[]
    after = page.next
  }
}

/** Leaves out characters that aren't allowed in file names. */
export const fileNameOf = (name: string, at: Date): string =>
  `${name.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'vault'} ${at.toISOString().slice(0, 10)}.zip`
