import type { Vault } from '@holdfast/client/dashboard'
import type { Kind, TransferRecord } from '@holdfast/transfer/record'
import { writeArchive } from '@holdfast/transfer/write-archive'
import { call } from '../../api/call.ts'
import { ZipWriter } from './write-zip.ts'

export interface ExportProgress {
  records: number
  bytes: number
}

/** The whole vault as a zip file, page by page; at no time is more than a page of it in the page's memory. */
export async function exportVault(
  vault: Vault,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<Blob> {
  const { version } = await call('system', {}, signal)
  const zip = new ZipWriter()
  let shownAt = 0
  await writeArchive(zip, {
    vault: { vaultId: vault.id, name: vault.name, description: vault.description },
    version,
    exportedAt: new Date().toISOString(),
    records: (kind) => recordsOf(vault.id, kind, signal),
    onProgress(records) {
      if (performance.now() - shownAt < 100) return
      shownAt = performance.now()
      onProgress({ records, bytes: zip.bytes })
    },
  })
  return zip.toBlob()
}

async function* recordsOf(vaultId: string, kind: Kind, signal: AbortSignal): AsyncGenerator<TransferRecord> {
  for (let after: string | null = ''; after !== null;) {
    const page: { records: Record<string, unknown>[]; next: string | null } = await call(
      'export-records',
      { vaultId, kind, after },
      signal,
    )
    // Checked where they are imported.
    yield* page.records as unknown as TransferRecord[]
    after = page.next
  }
}

/** What no system takes in a name is left out. */
export const fileNameOf = (name: string, at: Date): string =>
  `${name.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'vault'} ${at.toISOString().slice(0, 10)}.zip`

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Some browsers read it only a while after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
