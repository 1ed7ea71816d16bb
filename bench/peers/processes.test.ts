import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { collectTrees, findTrees, killTrees, sumRss } from './processes.ts'

describe('collectTrees', () => {
  it('finds children of children, in any order, and no other processes', () => {
    const parents = [
      [5, 4],
      [4, 2],
      [2, 1],
      [9, 1],
    ] as const
    expect(collectTrees([2], parents).toSorted((a, b) => a - b)).toEqual([2, 4, 5])
  })
})

describe('killTrees', () => {
  it('ends a process and what it started, and returns when they are gone', async () => {
    const child = spawn('sh', ['-c', 'sleep 100 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [output] = (await once(child.stdout, 'data')) as [Buffer]
    const pids = [child.pid ?? 0, Number(output.toString())]
    expect(findTrees([child.pid ?? 0])).toEqual(pids)
    expect(sumRss(pids)).toBeGreaterThan(100_000)
    await killTrees([child.pid ?? 0])
    expect(sumRss(pids)).toBe(0)
  })
})
