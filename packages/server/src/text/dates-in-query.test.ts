import { describe, expect, it } from 'vitest'
import { datesInQuery } from './dates-in-query.ts'
import { processorMs } from '../../test/processor-time.ts'

/** A Wednesday. */
const asOf = Date.UTC(2023, 9, 25, 15)
const windowsOf = (query: string): string[] =>
  datesInQuery(query, asOf).map(({ fromMs, toMs }) => `${dayOf(fromMs)}..${dayOf(toMs)}`)
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

describe('datesInQuery', () => {
  it('finds dates before and after a long pasted text', () => {
    const pasted = 'what was said there '.repeat(500)
    expect(windowsOf(`what happened yesterday? ${pasted}`)).toEqual(['2023-10-24..2023-10-25'])
    expect(windowsOf(`${pasted} what happened yesterday?`)).toEqual(['2023-10-24..2023-10-25'])
  })

  const cases: [query: string, windows: string[]][] = [
    ['what did I do on 5 May 2023?', ['2023-05-05..2023-05-06']],
    ['dinner on May 3rd, 2023', ['2023-05-03..2023-05-04']],
    ['the 7th of July', ['2023-07-07..2023-07-08']],
    ['notes of 2023-02-28', ['2023-02-28..2023-03-01']],
    ['on December 8', ['2022-12-08..2022-12-09']],
    ['in May', ['2023-05-01..2023-06-01']],
    ['in November', ['2022-11-01..2022-12-01']],
    ['in March and April', ['2023-03-01..2023-04-01', '2023-04-01..2023-05-01']],
    ['in April and May', ['2023-04-01..2023-05-01', '2023-05-01..2023-06-01']],
    ['by 3 May', ['2023-05-03..2023-05-04']],
    ['lunch 3 may?', ['2023-05-03..2023-05-04']],
    ['the 3rd of March', ['2023-03-03..2023-03-04']],
    ['3 April tasks', ['2023-04-03..2023-04-04']],
    ['the first half of 2022', ['2022-01-01..2023-01-01']],
    ['plans for May 2022', ['2022-05-01..2022-06-01']],
    ['mid-January', ['2023-01-11..2023-01-21']],
    ['the first week of March', ['2023-03-01..2023-03-08']],
    ['from February 11th to 13th', ['2023-02-11..2023-02-14']],
    ['beach trips in 2021', ['2021-01-01..2022-01-01']],
    ['what happened yesterday?', ['2023-10-24..2023-10-25']],
    ['last week', ['2023-10-16..2023-10-23']],
    ['this month', ['2023-10-01..2023-11-01']],
    ['last weekend', ['2023-10-21..2023-10-23']],
    ['last Wednesday', ['2023-10-18..2023-10-19']],
    ['on Tuesday', ['2023-10-24..2023-10-25']],
    ['three weeks ago', ['2023-09-30..2023-10-08']],
    ['a couple of days ago', ['2023-10-22..2023-10-25']],
    ['on 3 May Ann told a joke', ['2023-05-03..2023-05-04']],
    ['after 5 May with Ann', ['2023-05-05..2023-05-06']],
    ['the 3rd of May we met', ['2023-05-03..2023-05-04']],
    ['from 3 May to 5 May', ['2023-05-03..2023-05-04', '2023-05-05..2023-05-06']],
    ['what she cut in late March to save', ['2023-03-21..2023-04-01']],
    ['in May Ann went', ['2023-05-01..2023-06-01']],
    ['in Nov 2022', ['2022-11-01..2022-12-01']],
    ['5 Dec', ['2022-12-05..2022-12-06']],
    ['in 2022 was it wet?', ['2022-01-01..2023-01-01']],
    ['the year 2022 results', ['2022-01-01..2023-01-01']],
    // That day doesn't exist; the month is still meant.
    ['on 31 June 2023', ['2023-06-01..2023-07-01']],
    ['the past two weeks', ['2023-10-11..2023-10-25']],
  ]
  for (const [query, windows] of cases) {
    it(`reads "${query}"`, () => expect(windowsOf(query)).toEqual(windows))
  }

  const undated = [
    'what did she do recently?',
    'may I march with you?',
    'how many weeks did it take?',
    'every Sunday mass',
    'room 2023 costs 1999 dollars',
    'last summer',
    'errors that this may cause',
    'files it can read and may delete',
    'a test that fails or may be skipped',
    'of 10 uploads 3 may fail',
    'error 3 mar file',
    'version 3 may fail',
    'the right to protest and march',
    'a batch of 2026 rows',
    'a limit of 2024 bytes',
    'does the job finish in 2000 ms',
    'how many rows in 2000 batches',
    'half of 2000 users',
    'fits in 2048 bytes',
    'end of 2048 byte buffer',
    'keys in 2048-bit form',
    'the rest of 2024 rows',
    'a retry after 5 may help',
    'workers from 3 may starve',
    'of 3 to 5 may fail',
    'the 2 may differ',
    'the 2nd may differ',
    'may 3 workers run at once',
    'may 5 to 10 users log in',
    'being late may cost',
    'the file it is in may be locked',
    'which of may fail',
    'convert hex in dec',
    'numbers of oct digits',
    'the last march of the penguins',
    '',
  ]
  for (const query of undated) it(`finds no date in "${query}"`, () => expect(windowsOf(query)).toEqual([]))

  it('is fast for a pasted text of numbers and months', () => {
    expect(processorMs(() => datesInQuery('may 1 to '.repeat(20_000), asOf))).toBeLessThan(200)
  })
})
