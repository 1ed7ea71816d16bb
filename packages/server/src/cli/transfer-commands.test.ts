import { copyFile, lstat, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeMachine, type Finished } from './testing/run-command.ts'

/** The real process. Other tests cover what each source becomes, without one. */

const fixtures = join(import.meta.dirname, '../../test/transfer/fixtures')
const password = 'violets under a wet stone\n'
const passphrase = 'violets under a dry stone\n'

const ownId = '0198c5f0-0000-7000-8000-000000000901'

interface Place {
  root: string
  run(args: string[], stdin?: string): Promise<Finished>
  json(args: string[], stdin?: string): Promise<Record<string, unknown>>
}

/** With an owner. */
async function makePlace(): Promise<Place> {
  const machine = await makeMachine({ HOLDFAST_DATA_DIR: 'data', HOLDFAST_PORT: '0' })
  const run = (args: string[], stdin?: string) => machine.run(args, {}, stdin)
  const json = async (args: string[], stdin?: string) => {
    const { code, stdout, stderr } = await run([...args, '--json'], stdin)
    expect([args, code, stderr]).toEqual([args, 0, ''])
    return JSON.parse(stdout) as Record<string, unknown>
  }
  await json(['setup', '--email', 'ada@example.org', '--password-stdin'], password)
  return { root: machine.folder, run, json }
}

describe('holdfast import and export', { timeout: 120_000 }, () => {
  it('previews, imports, exports under a passphrase, imports that elsewhere, and undoes it', async () => {
    const [here, there] = [await makePlace(), await makePlace()]
    const vault = join(fixtures, 'obsidian')
    const dry = await here.run(['import', 'obsidian', vault, '--dry-run'])
    expect(dry.code).toBe(0)
    expect(dry.stdout).toMatch(
      /^Nothing was written\. \(obsidian, vault Main, .*\n {2}6 notes would be new\nFor example:\n {2}note: /,
    )
    const reportFile = join(here.root, 'report.json')
    const imported = await here.json(['import', 'auto', vault, '--report', reportFile])
    expect(imported).toMatchObject({ source: 'obsidian', dryRun: false, counts: { note: { created: 6 } } })
    expect(JSON.parse(await readFile(reportFile, 'utf8'))).toEqual(imported)
    await here.json(['import', 'server-memory', join(fixtures, 'server-memory.jsonl')])

    const file = join(here.root, 'vault.hfx')
    const exported = await here.run(['export', '--out', file, '--encrypt', '--passphrase-stdin'], passphrase)
    expect(exported.code).toBe(0)
    expect(exported.stdout).toMatch(/vault\.hfx: 3 folders, 6 notes, 6 memories, \d+ links\n$/)
    expect((await readFile(file)).includes('Garden')).toBe(false)
    expect((await stat(file)).mode & 0o077).toBe(0)
    const unasked = await there.run(['import', 'auto', file])
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--passphrase-stdin') })
    const twice = await here.run(['export', '--out', file])
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') })

    const wrong = await there.run(['import', 'auto', file, '--passphrase-stdin'], 'another passphrase\n')
    expect(wrong).toEqual({ code: 1, stdout: '', stderr: 'Cannot read the export: the passphrase is wrong.\n' })
    const cut = join(there.root, 'cut.hfx')
    await copyFile(file, cut)
    await truncate(cut, (await stat(file)).size - 5)
    expect((await there.run(['import', 'auto', cut, '--passphrase-stdin'], passphrase)).code).toBe(1)
    const copied = await there.json(['import', 'auto', file, '--passphrase-stdin'], passphrase)
    expect(copied).toMatchObject({
      source: 'holdfast',
      problems: [],
      counts: { note: { created: 6 }, memory: { created: 6 } },
    })

    const noted = await here.run(['import', 'agents-md', join(fixtures, 'agents'), '--import-id', ownId])
    expect(noted).toMatchObject({ code: 0, stderr: expect.stringMatching(new RegExp(`^Import ${ownId}\n`)) })
    const whole = await here.run(['import', 'agents-md', join(fixtures, 'agents'), '--as-document'])
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('1 document new') })

    const importId = String(imported.importId)
    expect(await here.json(['import', '--revert', importId])).toMatchObject({ trashed: 6, archived: 0 })
    expect(await here.run(['import', '--revert', importId])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('The vault Main has no records'),
    })
  })

  it('refuses to export a vault of someone else, and leaves no file behind', async () => {
    const place = await makePlace()
    const asGrace = ['--email', 'grace@example.org']
    await place.json(['users', 'add', ...asGrace, '--password-stdin'], password)
    const [, email = ''] = asGrace
    const { vaultId } = await place.json(['vaults', 'share', 'Main', '--with', email, '--role', 'admin'])
    await place.json(['vaults', 'accept', String(vaultId), ...asGrace])
    const out = join(place.root, 'theirs.zip')
    const refused = await place.run(['export', '--vault', String(vaultId), ...asGrace, '--out', out])
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/^Only the vault's owner can do that/) })
    expect((await readdir(place.root)).filter((name) => name.startsWith('theirs'))).toEqual([])
  })

  it('uses the vault that .holdfast.json names, and prints its name', async () => {
    const place = await makePlace()
    const { vault } = (await place.json(['vaults', 'create', 'app', '--description', 'Work'])) as {
      vault: { vaultId: string }
    }
    expect(await place.run(['vaults', 'create', 'app'])).toMatchObject({ code: 3 })
    expect((await place.run(['vaults', 'list'])).stdout).toMatch(/Main \(default\) .*\n.*app {2}memories: 0/)
    await writeFile(join(place.root, '.holdfast.json'), '{ "vault": "app" }')
    const source = join(fixtures, 'server-memory.jsonl')
    const imported = await place.json(['import', 'auto', source])
    expect(imported).toMatchObject({ vault: { name: 'app', vaultId: vault.vaultId } })
    const links = (report: Record<string, unknown>) => (report.counts as { link: object }).link
    const again = await place.run(['import', 'auto', source, '--report', join(place.root, '.holdfast.json')])
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') })
    expect((await place.run(['import', 'auto', source])).stdout).not.toContain('To undo this import')
    const dry = await place.json(['import', 'auto', source, '--dry-run'])
    expect(links(dry)).toMatchObject({ created: 0 })
    const reverted = await place.run(['import', '--revert', String(imported.importId)])
    expect(reverted.stdout).toMatch(/^In the vault app: /)
    // The command that is printed works in any folder.
    const restored = await place.run(['import', 'auto', source])
    const [, undo = ''] = /To undo this import: .*? (import --revert .*)\n/.exec(restored.stdout) ?? []
    expect(undo).toMatch(/ --vault app$/)
    await rm(join(place.root, '.holdfast.json'))
    expect((await place.run(undo.split(' '))).stdout).toMatch(/^In the vault app: /)
    await writeFile(join(place.root, '.holdfast.json'), '{ "vault": "app" }')
    expect((await place.run(['export', '--out', join(place.root, 'a.zip')])).stdout).toContain('There is 1 other vault')
  })

  it.runIf(process.platform !== 'win32')(
    'exports to a file that only its user can read, whatever is next to it',
    async () => {
      const place = await makePlace()
      const [out, victim] = [join(place.root, 'a.zip'), join(place.root, 'victim')]
      await writeFile(victim, 'mine')
      await symlink(victim, `${out}.part`)
      expect(await place.run(['export', '--out', out])).toMatchObject({ code: 0 })
      expect(await readFile(victim, 'utf8')).toBe('mine')
      expect((await lstat(out)).isFile()).toBe(true)
      expect((await stat(out)).mode & 0o777).toBe(0o600)
      const lost = await place.run(['export', '--out', join(place.root, 'nowhere/a.zip')])
      expect(lost).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Folder .* does not exist\./) })
    },
  )

  it('rejects an export that was changed, and says when one is plain text', async () => {
    const place = await makePlace()
    await place.json(['import', 'auto', join(fixtures, 'server-memory.jsonl')])
    const file = join(place.root, 'plain.zip')
    expect((await place.run(['export', '--out', file])).stdout).toContain('The file is plain text')
    const lines = join(place.root, 'memory.jsonl')
    expect(await place.json(['export', '--out', lines, '--format', 'server-memory'])).toMatchObject({
      counts: { entities: 5, observations: 6, relations: 3 },
    })
    const [first] = (await readFile(lines, 'utf8')).split('\n')
    expect(JSON.parse(first ?? '')).toEqual({
      type: 'entity',
      name: 'Ada',
      entityType: 'person',
      observations: ['Prefers tabs', 'Lives in Turin'],
    })
    const bytes = await readFile(file)
    bytes.fill(0, 300, 340)
    await writeFile(file, bytes)
    const changed = await place.run(['import', 'holdfast', file])
    expect([changed.code, changed.stdout]).toEqual([1, ''])
    expect(changed.stderr).toMatch(/^(README\.md|.*zip file cannot be read|\S+ has changed since the export)/)
  })

  it('reports invalid arguments', async () => {
    const place = await makePlace()
    const cases: [args: string[], code: number, stderr: string][] = [
      [['import'], 2, 'source or the path is missing'],
      [['import', 'obsidian'], 2, 'source or the path is missing'],
      [['import', 'evernote', '.'], 2, 'Allowed choices'],
      [['import', 'auto', join(place.root, 'nowhere')], 4, 'File or folder not found'],
      [['import', 'obsidian', fixtures, '--report', join(place.root, 'nowhere/r')], 1, 'Cannot write'],
      [['import', 'auto', place.root], 1, 'Unknown format'],
      [['import', 'obsidian', place.root], 1, 'Nothing to import was found'],
      [['import', 'obsidian', fixtures, '--vault', 'Nowhere'], 4, 'No vault Nowhere'],
      [['import', 'obsidian', fixtures, '--import-id', 'mine'], 2, 'must be a UUID'],
      [['import', 'obsidian', join(fixtures, 'obsidian'), '--as-document'], 2, 'only with agents-md'],
      [['export'], 2, '--out'],
      [['export', '--out', join(place.root, 'a.zip'), '--encrypt', '--passphrase-stdin'], 2, 'at least 12 characters'],
    ]
    for (const [args, code, stderr] of cases) {
      const ended = await place.run(args, 'short\n')
      expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
      expect(ended.stderr).toContain(stderr)
    }
  })
})
