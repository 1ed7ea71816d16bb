import type { UsageOutput } from '@holdfast/client/dashboard'

/** Months and numbers alone: nothing in it can be taken for a formula. */
export const printCsv = (months: UsageOutput['months']): string =>
  [
    'month,read,write,search,ingest,embeddingTokens',
    ...months.map(({ month, units, embeddingTokens }) =>
      [month, units.read, units.write, units.search, units.ingest, embeddingTokens].join(','),
    ),
    '',
  ].join('\n')
