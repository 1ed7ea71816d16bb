import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findProjectFile, getServerUrl } from './project-file.ts'

function makeFolder(...below: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-project-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, ...below), { recursive: true })
  return root
}

const write = (folder: string, file: unknown) =>
  writeFileSync(join(folder, '.holdfast.json'), typeof file === 'string' ? file : JSON.stringify(file))

describe('findProjectFile', () => {
  it('finds the nearest file, up to the root of the repository', () => {
    const root = makeFolder('repository/.git')
    const inside = join(root, 'repository', 'packages')
    mkdirSync(inside)
    write(root, { vault: 'planted' })
    expect(findProjectFile(inside)).toBeUndefined()
    write(join(root, 'repository'), { vault: 'app' })
    expect(findProjectFile(inside)?.vault).toBe('app')
  })

  it('stops at the last folder that only the user can write to', () => {
    const root = makeFolder('below')
    write(root, { vault: 'planted' })
    expect(findProjectFile(join(root, 'below'))?.vault).toBe('planted')
    chmodSync(root, 0o777)
    expect(findProjectFile(join(root, 'below'))).toBeUndefined()
  })

  it('stops at the home folder', () => {
    const root = makeFolder('home/project')
    const home = process.env['HOME']
    onTestFinished(() => void (process.env['HOME'] = home))
    write(root, { vault: 'planted' })
    process.env['HOME'] = join(root, 'home')
    expect(findProjectFile(join(root, 'home', 'project'))).toBeUndefined()
    write(join(root, 'home'), { vault: 'mine' })
    expect(findProjectFile(join(root, 'home', 'project'))?.vault).toBe('mine')
  })

  it.runIf(process.getuid?.() === 0)('rejects a file that belongs to someone else', () => {
    const root = makeFolder()
    write(root, { vault: 'planted' })
    chownSync(join(root, '.holdfast.json'), 12_345, 12_345)
    expect(() => findProjectFile(root)).toThrow(/belongs to another user/)
  })

  it('rejects devices, pipes, folders and long files without reading them', () => {
    const [device, pipe, folder, long] = [makeFolder(), makeFolder(), makeFolder('.holdfast.json'), makeFolder()]
    symlinkSync('/dev/zero', join(device, '.holdfast.json'))
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(pipe, '.holdfast.json')])
    write(long, `{"vault":"app"}${' '.repeat(65_536)}`)
    for (const at of [device, pipe, folder]) expect(() => findProjectFile(at)).toThrow(/is not a file\.$/)
    expect(() => findProjectFile(long)).toThrow(/is longer than 65536 bytes\.$/)
  })

  it.each(['{', '[]', { vault: 'two\nlines' }, { url: 'http://127.0.0.1:8420\u001b[2J' }, { mode: 7 }])(
    'rejects %j without quoting it',
    (file) => {
      const root = makeFolder()
      write(root, file)
      expect(() => findProjectFile(root)).toThrow(
        `${join(root, '.holdfast.json')} is invalid. Write it again, for example as {"vault":"app"}.`,
      )
    },
  )
})

describe('getServerUrl', () => {
  const read = (url: string) => {
    const root = makeFolder()
    write(root, { url })
    return getServerUrl(findProjectFile(root))
  }

  it('returns the default address if the project names it', () => {
    expect(read('http://127.0.0.1:8420')).toBe('http://127.0.0.1:8420')
    expect(read('http://localhost:8420/')).toBe('http://localhost:8420')
    expect(getServerUrl(undefined)).toBeUndefined()
  })

  it.each([
    'http://127.0.0.1:9999',
    'https://evil.example',
    'http://127.0.0.1:8420@evil.example',
    'http://127.0.0.1:8420/$(touch x)',
    'http://127.0.0.1:8420/?x=1',
    'nonsense',
  ])('rejects %s and says how to use another server', (url) => {
    expect(() => read(url)).toThrow(/\.holdfast\.json names a server other than .*HOLDFAST_URL/)
  })
})
