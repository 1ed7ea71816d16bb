import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../packages/server/src/crypto/hash.ts'
import { root } from './checks.ts'

/**
 * Everything that is delivered is built from two copies of the checkout, in folders of different names and depths, whose files were copied
 * in different orders and have different dates, by processes in different time zones and languages. The results must be the same.
 */

interface Place {
  folder: string
  env: Record<string, string>
  date: Date
}

/** What Git would commit. */
const listSources = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined)

function copySources(paths: readonly string[], { folder, date }: Place): void {
  for (const path of paths) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, path), target, { verbatimSymlinks: true })
    if (!lstatSync(target).isSymbolicLink()) utimesSync(target, date, date)
  }
}

/** Links each file of the dependencies, which takes no space. Links of the workspace are relative, so they lead into the copy. */
function linkDependencies({ folder }: Place): void {
  const filter = (from: string, to: string) => {
    if (!lstatSync(from).isFile()) return true
    linkSync(from, to)
    return false
  }
  for (const name of ['node_modules', 'site/node_modules'])
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(folder, name), { recursive: true, verbatimSymlinks: true, filter })
}

function run(place: Place, program: string, args: string[], folder = '.'): void {
  const env = { ...process.env, NODE_ENV: 'production', ...place.env }
  execFileSync(program, args, { cwd: join(place.folder, folder), env, stdio: ['ignore', 'ignore', 'inherit'] })
}

const node = process.execPath

/** Builds one deliverable in the copy, and returns the folder with its files. */
const deliverables = {
  'the dashboard': (place: Place) => {
    const vite = join(place.folder, 'node_modules/vite/bin/vite.js')
    run(place, node, [vite, 'build', '--logLevel', 'error'], 'packages/web')
    return 'packages/web/dist'
  },
  'the packages for npm': (place: Place) => {
    run(place, node, ['scripts/pack.ts', join(place.folder, 'out/packages')])
    return 'out/packages'
  },
  'the generated files, plugins included': (place: Place) => {
    run(place, node, ['scripts/generate.ts'])
    return '{docs,integrations,packages/*/src}'
  },
  'the bill of materials and the licenses': (place: Place) => {
    run(place, node, ['scripts/list-dependencies.ts', join(place.folder, 'out/materials')])
    return 'out/materials'
  },
}

/** The digest of each file, by its path. */
function digest(folder: string, pattern: string): Record<string, string> {
  const paths = globSync(`${pattern}/**`, { cwd: folder }).filter((path) => lstatSync(join(folder, path)).isFile())
  return Object.fromEntries(paths.map((path) => [path, sha256(readFileSync(join(folder, path))).toString('hex')]))
}

describe('what is built from two copies of the checkout', () => {
  let parent = ''
  let places: [Place, Place]

  beforeAll(() => {
    // On the same disk, so that files can be linked.
    mkdirSync(join(root, '.built'), { recursive: true })
    parent = mkdtempSync(join(root, '.built', 'copies-'))
    places = [
      { folder: join(parent, 'a'), env: { TZ: 'UTC', LANG: 'C' }, date: new Date('2026-01-02T03:04:05Z') },
      {
        folder: join(parent, 'another place', 'with a longer name', 'Ünïcode'),
        env: { TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8', HOME: parent },
        date: new Date('2031-10-11T12:13:14Z'),
      },
    ]
    const sources = listSources()
    copySources(sources, places[0])
    copySources(sources.toReversed(), places[1])
    for (const place of places) linkDependencies(place)
  }, 300_000)

  afterAll(() => rmSync(parent, { recursive: true, force: true }))

  it.each(Object.entries(deliverables))('is the same, byte by byte: %s', { timeout: 600_000 }, (_, build) => {
    const [one, other] = places.map((place) => digest(place.folder, build(place)))
    expect(Object.keys(one ?? {}).length).toBeGreaterThan(0)
    expect(other).toEqual(one)
  })
})
