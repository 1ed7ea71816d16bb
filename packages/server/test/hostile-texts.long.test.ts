import { hostileTexts, measureBestMs } from '@holdfast/transfer/testing/hostile-texts'
import { expect, it } from 'vitest'
import { measured } from './promises/measured.ts'
import { findSignals } from '../src/text/signals.ts'
import { extractMemories } from '../src/turns/extract-memories.ts'
import { readers } from './text-readers.ts'

const all = { ...readers, findSignals, extractMemories: (text: string) => extractMemories(text, 'user') }

const [chars, limitMs] = [100_000, 50]

it('no function takes more than 50 ms of processor time for any of 100,000 characters', { timeout: 600_000 }, () => {
  const slow: string[] = []
  let slowestMs = 0
  for (const [reader, read] of Object.entries(all))
    for (const [kind, make] of Object.entries(hostileTexts)) {
      const ms = measureBestMs(read, make(chars), limitMs)
      slowestMs = Math.max(slowestMs, ms)
      if (ms > limitMs) slow.push(`${reader}, ${kind}: ${Math.round(ms)} ms`)
    }
  expect(slow).toEqual([])
  measured({
    functions: Object.keys(all).length,
    texts: Object.keys(hostileTexts).length,
    'slowest, in ms': Math.round(slowestMs),
  })
})
