import { expect, it } from 'vitest'
import type { TransferRecord } from '@holdfast/transfer/record'
import { ImportStopped, runImport, type ImportOptions } from '@holdfast/transfer/run-import'
import { SourceError } from '@holdfast/transfer/source'

const source = { name: 'some', files: [], close: async () => {} }
const busy = new Error('busy')

const importInto = (send: ImportOptions['send'], breaksOff = false) =>
  runImport(
    source,
    {
      name: 'lines',
      shape: 'lines',
      claim: async ({ files }) => files,
      async *read() {
        for (let number = 0; number < 120; number++) yield { kind: 'memory', content: `Fact ${number}` } as const
        if (breaksOff) throw new SourceError('The rest cannot be read.')
      },
    },
    {
      importId: '0198c5f0-0000-7000-8000-000000000901',
      dryRun: false,
      send,
      isRefusal: () => false,
      isTransient: (error) => error === busy,
      retryDelaysMs: [1, 1],
      onProgress: () => {},
    },
  )

const take = (records: TransferRecord[]) => ({
  vaultId: '',
  importId: '',
  dryRun: false,
  results: records.map(() => ({ status: 'created' as const })),
})

it('an import sends a batch again while the server is busy', async () => {
  let tries = 0
  const report = await importInto(async (records) => {
    if (++tries < 3) throw busy
    return take(records)
  })
  expect(report).toMatchObject({ isComplete: true, counts: { memory: { created: 120 } } })
})

it('an import that ends early still reports what it has created', async () => {
  const stopped = await importInto(async (records) => take(records), true).catch((error: unknown) => error)
  expect(stopped).toBeInstanceOf(ImportStopped)
  expect(stopped).toMatchObject({
    message: 'The rest cannot be read.',
    report: { isComplete: false, counts: { memory: { created: 100 } } },
  })
  const busyForever = await importInto(async () => Promise.reject(busy)).catch((error: unknown) => error)
  expect(busyForever).toMatchObject({ cause: busy, report: { isComplete: false, counts: {} } })
})
