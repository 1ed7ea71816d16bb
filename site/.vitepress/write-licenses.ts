import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The folder of the package that a module belongs to. */
const packageOf = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

/** Writes the licenses of the packages whose code the site contains. */
export const writeLicenses = (): Plugin => ({
  name: 'write-licenses',
  apply: 'build',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const folders = new Set(modules.flatMap((id) => packageOf.exec(id.replaceAll('\\', '/'))?.[0] ?? []))
    const texts = [...folders].map((folder) => describe(folder)).toSorted()
    this.emitFile({ type: 'asset', fileName: 'third-party-licenses.txt', source: texts.join('\n') })
  },
})

function describe(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license: string
  }
  const [file] = globSync('licen[cs]e*', { cwd: folder }).concat(globSync('LICEN[CS]E*', { cwd: folder }))
  const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version}\n\n${text}\n\n${'-'.repeat(80)}\n`
}
