import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countBytes } from './count-bytes.ts'

describe('countBytes', () => {
  it('counts a file once, however many names it has', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-peers-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'lib'))
    writeFileSync(join(folder, 'lib', 'a'), 'x'.repeat(1_000))
    linkSync(join(folder, 'lib', 'a'), join(folder, 'b'))
    symlinkSync('lib', join(folder, 'lib64'))
    writeFileSync(join(folder, 'c'), 'x'.repeat(20))
    expect(countBytes(folder)).toBe(1_020)
  })
})
