import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of another project, as the lock file pins it. */
export interface LockedPackage {
  /** Its place in the lock file, which is also its folder. */
  path: string
  name: string
  version: string
  license: string | undefined
  /** The hash that npm checks on each install. */
  integrity: string | undefined
  /** True if the product also works without it. */
  isOptional: boolean
  /** True for the build of a package for one platform. It may not be installed here. */
  isForOnePlatform: boolean
}

interface Entry {
  name?: string
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  resolved?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

type Lock = Readonly<Record<string, Entry>>

const folderName = 'node_modules/'

export function readLock(root: string): Lock {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }
  return packages
}

/** All packages of other projects, including those that only tests and builds use. */
export const listAll = (lock: Lock): LockedPackage[] =>
  Object.keys(lock)
    .filter((path) => path.includes(folderName) && lock[path]?.link !== true)
    .map((path) => describe(lock, path))

export interface Shipped {
  packages: LockedPackage[]
  /** The paths of what each package needs, by its own path; those of the product itself by the empty path. */
  needs: ReadonlyMap<string, readonly string[]>
}

/**
 * What runs at a user's: the dependencies of the packages in this repository, and what the dashboard imports, because its build contains
 * that. The build leaves out what isn't used, so this can name more than it contains, but not less.
 */
export function listShipped(root: string, lock: Lock): Shipped {
  const own = Object.keys(lock).filter((path) => path !== '' && !path.includes(folderName))
  const direct = own.flatMap((path) => (path === dashboard ? findImported(root, lock) : findNeeds(lock, path)))
  const needs = new Map<string, string[]>([['', unique(direct)]])
  const open = [...direct]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (needs.has(path)) continue
    const found = findNeeds(lock, path)
    needs.set(path, found)
    open.push(...found)
  }
  const packages = [...needs.keys()].filter((path) => path !== '').map((path) => describe(lock, path))
  return { packages: packages.toSorted(byName), needs }
}

const dashboard = 'packages/web'

/** Paths of the packages that the dashboard's sources import, without those that only its tests import. */
function findImported(root: string, lock: Lock): string[] {
  const sources = globSync('**/*.{ts,tsx,css}', { cwd: join(root, dashboard, 'src'), exclude: ['**/*.test.*'] })
  const specifiers = sources.flatMap((source) => {
    const text = readFileSync(join(root, dashboard, 'src', source), 'utf8')
    return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([@\w][\w./@-]*)'/g)].map(([, specifier = '']) => specifier)
  })
  return unique(specifiers.map(packageOf)).flatMap((name) => find(lock, dashboard, name) ?? missing(name, dashboard))
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Paths of what a package needs at run time. A peer counts if it isn't optional. */
function findNeeds(lock: Lock, path: string): string[] {
  const { dependencies, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta } = lock[path] ?? {}
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  const names = unique([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
  return names
    .flatMap((name) => find(lock, path, name) ?? (name in optionalDependencies ? [] : missing(name, path)))
    .toSorted()
}

/**
 * Where `name` is found from `path`, in the innermost folder first, as Node looks for it. A package of this repository isn't one of
 * its own dependencies: the empty list.
 */
function find(lock: Lock, path: string, name: string): string[] | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}${folderName}${name}`
    const entry = lock[place]
    if (entry !== undefined) return entry.link === true ? [] : [place]
    if (folder === '') return undefined
  }
}

function missing(name: string, path: string): never {
  throw new Error(`package-lock.json has no ${name}, which ${path} needs`)
}

function describe(lock: Lock, path: string): LockedPackage {
  const { name, version = '', license, integrity, optional, os, cpu } = lock[path] ?? {}
  return {
    path,
    name: name ?? path.slice(path.lastIndexOf(folderName) + folderName.length),
    version,
    license,
    integrity,
    isOptional: optional === true,
    isForOnePlatform: os !== undefined || cpu !== undefined,
  }
}

const byName = (a: LockedPackage, b: LockedPackage) => (`${a.name} ${a.path}` < `${b.name} ${b.path}` ? -1 : 1)

const unique = (values: readonly string[]): string[] => [...new Set(values)].toSorted()
