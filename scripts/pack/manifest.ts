import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Versions = Record<string, string>

export interface Manifest {
  name: string
  version: string
  description: string
  license: string
  type: string
  dependencies?: Versions
  peerDependencies?: Versions
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  engines: Versions
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Where the sources are. A provenance is only accepted for the repository that the package itself names, and only a release knows it. */
export function repositoryField(): { repository?: { type: string; url: string } } {
  const url = process.env['HOLDFAST_REPOSITORY']
  return url === undefined ? {} : { repository: { type: 'git', url: `git+${url}.git` } }
}

/** Writes the manifest of a built package: what it has in common with its sources, and `own`. */
export function writeManifest(folder: string, sources: Manifest, own: object): void {
  const { name, version, description, license, type } = sources
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    ...repositoryField(),
    ...own,
    engines: { node: '>=22.13' },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Throws if one has no version: npm would install any. */
export const pick = (versions: Versions = {}, names: readonly string[]): Versions =>
  Object.fromEntries(
    names.map((name) => {
      const version = versions[name]
      if (version === undefined) throw new Error(`There is no dependency ${name}`)
      return [name, version]
    }),
  )
