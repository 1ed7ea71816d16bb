import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { streamArchive } from './stream-archive.ts'

it('ends with the error of a page that cannot be read, also for those who do not wait for the counts', async () => {
  const { bytes } = streamArchive({
    vault: { vaultId: '0198c5f0-0000-7000-8000-000000000001', name: 'Main', description: null },
    version: '0.1.0',
    exportedAt: '2026-11-21T09:00:00.000Z',
    // oxlint-disable-next-line require-yield -- it fails first
    async *records() {
      await Promise.resolve()
      throw new Error('Only the owner can do that.')
    },
    onProgress: () => undefined,
  })
  // An unhandled rejection would fail this file.
  await expect(buffer(bytes)).rejects.toThrow('Only the owner can do that.')
})
