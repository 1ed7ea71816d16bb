import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findText } from './find-text.ts'

describe('findText', () => {
  it('names the files that contain a text in UTF-8 or UTF-16, and no others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-peers-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'deep'))
    writeFileSync(join(folder, 'deep', 'a.db'), Buffer.from('\0\0Ada waters the ferns.\0'))
    writeFileSync(join(folder, 'b.db'), Buffer.from('Ada waters the ferns.', 'utf16le'))
    writeFileSync(join(folder, 'c.db'), Buffer.from('Ada waters the ferns.').toString('base64'))
    expect(findText(folder, ['Something else.', 'Ada waters the ferns.'])).toEqual(['b.db', 'deep/a.db'])
    expect(findText(folder, ['Something else.'])).toEqual([])
  })
})
