import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { ImportAnswer } from '../../src/transfer/import-records.ts'
import { kinds, type Kind, type TransferRecord } from '../../src/transfer/record.ts'
import { runImport, type ImportReport } from '@holdfast/transfer/run-import'
import { detectReader, readers } from '@holdfast/transfer/sources/readers'
import { openSource } from '../../src/transfer/open-source.ts'
import { streamArchive } from '../../src/transfer/stream-archive.ts'
import type { TestApp } from '../app.ts'

/** Imports and exports like the command line, without its process. */

export interface Holder {
  test: TestApp
  dashboardToken: string
  vaultId: string
}

async function* recordsOf({ test, dashboardToken, vaultId }: Holder, kind: Kind): AsyncGenerator<TransferRecord> {
  for (let after: unknown = ''; after !== null;) {
    const { status, body } = await test.call('export-records', { vaultId, kind, after }, { key: dashboardToken })
    expect([status, body]).toEqual([200, expect.anything()])
    yield* body.records as TransferRecord[]
    after = body.next
  }
}

export async function everythingIn(holder: Holder): Promise<Record<Kind, TransferRecord[]>> {
  const lists = await Promise.all(kinds.map(async (kind) => [kind, await arrayOf(recordsOf(holder, kind))]))
  return Object.fromEntries(lists) as Record<Kind, TransferRecord[]>
}

export async function arrayOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = []
  for await (const item of items) array.push(item)
  return array
}

export async function exportZip(holder: Holder): Promise<Buffer> {
  const { bytes, counts } = streamArchive({
    vault: { vaultId: holder.vaultId, name: 'Main', description: null },
    version: '0.1.0',
    exportedAt: '2026-11-21T09:00:00.000Z',
    records: (kind) => recordsOf(holder, kind),
    onProgress: () => {},
  })
  const [whole] = await Promise.all([buffer(bytes), counts])
  return whole
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-transfer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function fileWith(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(await makeFolder(), name)
  await writeFile(path, bytes)
  return path
}

export async function importPath(
  { test, dashboardToken, vaultId }: Holder,
  path: string,
  { source = 'auto', dryRun = false, passphrase = '', as = undefined as string | undefined, asDocument = false } = {},
): Promise<ImportReport> {
  const opened = await openSource(path, async () => passphrase, as)
  try {
    const found = readers.find(({ name }) => name === source) ?? (await detectReader(opened))
    const reader = { ...found, read: (asDocument && found.readAsDocument) || found.read }
    const importId = newId()
    return await runImport(opened, reader, {
      importId,
      dryRun,
      send: async (records) => {
        const asked = { vaultId, importId, dryRun, records }
        const { status, body } = await test.call('import-records', asked, { key: dashboardToken })
        if (status !== 200) throw new Error(JSON.stringify(body))
        return body as unknown as ImportAnswer
      },
      isRefusal: (error) => error instanceof Error && error.message.includes('Validation failed'),
      isTransient: () => false,
      onProgress: () => {},
    })
  } finally {
    await opened.close()
  }
}
