import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { quoteForShell } from './quote-for-shell.ts'

describe('what is quoted for a shell', () => {
  it('stays as it is without characters that a shell interprets', () => {
    expect(quoteForShell('/srv/holdfast-1.0', 'linux')).toBe('/srv/holdfast-1.0')
    expect(quoteForShell('ann+test@example.org', 'darwin')).toBe('ann+test@example.org')
    expect(quoteForShell(String.raw`C:\holdfast`, 'win32')).toBe(String.raw`C:\holdfast`)
  })

  it.runIf(process.platform !== 'win32')('reaches a program unchanged, whatever a shell would do with it', () => {
    const texts = ['my data', '$HOME', '`id`', '$(id)', '!!', "it's", 'a"b', 'a\\b', '~', '*', ';', '#x', '', 'ö', '-n']
    const quoted = texts.map((text) => quoteForShell(text)).join(' ')
    const script = `for text in ${quoted}; do printf '%s\\n' "$text"; done`
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(`${texts.join('\n')}\n`)
  })

  it('is in double quotes on Windows', () => {
    expect(quoteForShell(String.raw`C:\Program Files`, 'win32')).toBe(String.raw`"C:\Program Files"`)
  })
})
