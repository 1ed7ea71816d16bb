import { expect, it } from 'vitest'
import { keyQuery } from './keyed-query.ts'
import { testDay, wordTags } from './testing/records.ts'

const windowsOf = (query: string) =>
  keyQuery(query, testDay, wordTags).dateWindows.map(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 10)),
  )

it('takes windows of a question that meet for one', () => {
  expect(windowsOf('on 3 May 2023, on 9 May 2023, on 4 May 2023')).toEqual([
    ['2023-05-03', '2023-05-05'],
    ['2023-05-09', '2023-05-10'],
  ])
  expect(windowsOf('in May 2023, above all on 9 May 2023')).toEqual([['2023-05-01', '2023-06-01']])
})

it('keeps the first eight of more', () => {
  const years = Array.from({ length: 20 }, (_, i) => `on 5 May ${2000 + i}`)
  expect(windowsOf(years.join(', ')).map(([from]) => from)).toEqual(
    years.slice(0, 8).map((year) => `${year.slice(-4)}-05-05`),
  )
})
