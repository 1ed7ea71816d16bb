import { describe, expect, it } from 'vitest'
import { createLog, type LogFields } from './log.ts'

function capture(level: Parameters<typeof createLog>[0] = 'debug') {
  const lines: string[] = []
  const log = createLog(level, { write: (line) => void lines.push(line) })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

const planted = 'planted-word'

function leak(error: unknown): string {
  const { log, lines } = capture()
  log.error('it failed', { error })
  expect(lines).toHaveLength(1)
  return lines.join()
}

describe('a log line', () => {
  it('contains the event, the level, the time and the given fields', () => {
    const { log, last } = capture()
    log.info('request', { requestId: 'r', operation: 'write-memory', status: 201, ms: 3 })
    expect(last()).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      event: 'request',
      requestId: 'r',
      operation: 'write-memory',
      status: 201,
      ms: 3,
    })
  })

  it('omits every field that is not on the list', () => {
    const { log, lines } = capture()
    const widened: LogFields & Record<string, unknown> = {
      status: 1,
      content: planted,
      key: planted,
      body: { planted },
    }
    log.warn('odd', widened)
    expect(lines.join()).toContain('"status":1')
    expect(lines.join()).not.toContain('planted')
  })

  it('is written at its level and above', () => {
    const { log, lines } = capture('warn')
    log.debug('a')
    log.info('b')
    log.warn('c')
    log.error('d')
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['c', 'd'])
    const silent = capture('silent')
    silent.log.error('e')
    expect(silent.lines).toEqual([])
  })
})

describe('an error in a log line', () => {
  it('is logged with class, code and stack locations', () => {
    class StoreFailure extends Error {
      code = 'SQLITE_FULL'
    }
    const { log, last } = capture()
    log.error('it failed', { error: new StoreFailure(planted) })
    const { error } = last() as { error: { name: string; code: string; at: string[] } }
    expect(error).toMatchObject({ name: 'StoreFailure', code: 'SQLITE_FULL' })
    expect(error.at[0]).toMatch(/^at .*log\.test\.ts:\d+:\d+\)?$/)
    expect(error.at.length).toBeLessThanOrEqual(8)
  })

  it('never contains its message, even one that imitates a stack', () => {
    const fake = `${planted}\n    at ${planted} (file:///${planted}.ts:1:1)\n    at ${planted}:2:2`
    expect(leak(new Error(fake))).not.toContain('planted')
    expect(leak(new Error(`\n    at ${planted} (x:1:1)`))).not.toContain('planted')
  })

  it('never contains a message that was replaced after the stack was created', () => {
    const fake = `${planted}\n    at ${planted} (file:///${planted}.ts:1:1)`
    for (const [before, after] of [
      [fake, 'harmless'],
      [fake, ''],
      [`at${fake}`, 'at'],
    ] as const) {
      const error = new Error(before)
      // The stack becomes text when it is first read.
      expect(error.stack).toContain(planted)
      error.message = after
      expect(leak(error)).not.toContain('planted')
    }
  })

  it('never contains a custom name', () => {
    const error = new Error('x')
    error.name = `${planted}\n    at ${planted} (x:1:1)`
    expect(leak(error)).not.toContain('planted')
  })

  it('never contains messages of its causes, however deep', () => {
    let error: Error = new Error(planted)
    for (let depth = 0; depth < 10; depth++) error = new Error(`${planted} ${depth}`, { cause: error })
    const line = leak(error)
    expect(line).not.toContain('planted')
    expect(line.match(/"cause"/g)).toHaveLength(3)
  })

  it('handles objects that are not proper errors', () => {
    const circular = new Error(planted)
    circular.cause = circular
    const withoutStack = new Error(planted)
    delete withoutStack.stack
    const oddMessage = Object.assign(new Error(), { message: undefined })
    const oddStack = Object.assign(new Error(planted), { stack: { planted } })
    for (const error of [circular, withoutStack, oddMessage, oddStack, planted, 7, { planted }, null, Symbol(planted)])
      expect(leak(error)).not.toContain('planted')
  })

  it('never contains a code that is not a short word', () => {
    expect(leak(Object.assign(new Error('x'), { code: { planted } }))).not.toContain('planted')
    expect(leak(Object.assign(new Error('x'), { code: `no such column: ${planted}` }))).not.toContain('planted')
  })
})
