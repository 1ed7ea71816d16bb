import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inTurns } from './turns.ts'

const sideOf = (name: string) => ({ name, server: { pid: process.pid } })
const sides = [sideOf('A'), sideOf('B')] as const

const samples = { samples: Float64Array.of(1), totalMs: 1 }

function useProcessor(ms: number) {
  const before = process.cpuUsage()
  let used = { user: 0, system: 0 }
  while ((used.user + used.system) / 1_000 < ms) used = process.cpuUsage(before)
}

/** Says that it runs, and then uses the processor for 80 ms whenever it reads a line. */
const useProcessorPerLine = `
${String(useProcessor)}
console.log('ready')
require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
  useProcessor(80)
  console.log('done')
})`

const isLinux = process.platform === 'linux'

describe.runIf(isLinux)('inTurns', () => {
  it.each([
    [0, 'A0 B0 B1 A1 A2 B2'],
    [1, 'B0 A0 A1 B1 B2 A2'],
  ])('alternates which side goes first, beginning with side %i', async (begins, order) => {
    const called: string[] = []
    const measure = async ({ name }: { name: string }, turn: number) => {
      called.push(`${name}${turn}`)
      return samples
    }
    await inTurns(sides, 3, measure, begins)
    expect(called.join(' ')).toBe(order)
  })

  it('returns the turns of each side in their order, also if the second begins', async () => {
    const measure = async ({ name }: { name: string }, turn: number) => ({
      ...samples,
      totalMs: turn + (name === 'A' ? 10 : 20),
    })
    const parts = await inTurns(sides, 2, measure, 1)
    expect(parts.map((turns) => turns.map(({ totalMs }) => totalMs))).toEqual([
      [10, 11],
      [20, 21],
    ])
  })

  it('counts the processor time of the called process, and not of the caller', async () => {
    // A process of its own: in this one, other tests and the compiler use the processor, too.
    const called = spawn(process.execPath, ['--eval', useProcessorPerLine], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void called.kill())
    const { pid } = called
    if (pid === undefined) throw new Error('The process did not start.')
    const answers = createInterface({ input: called.stdout })[Symbol.asyncIterator]()
    await answers.next()
    const sideCalled = (name: string) => ({ name, server: { pid } })
    const measure = async ({ name }: { name: string }) => {
      if (name === 'called') {
        called.stdin.write('work\n')
        await answers.next()
      } else useProcessor(80)
      return samples
    }
    const [[working], [idle]] = await inTurns([sideCalled('called'), sideCalled('left alone')], 1, measure)
    expect(working?.cpuMs).toBeGreaterThan(60)
    expect(idle?.cpuMs).toBeLessThan(60)
  })
})
