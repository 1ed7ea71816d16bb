import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** Whether this is the package that `npm install` gets, which is built, and not a checkout, which runs its sources. */
const isBuilt = import.meta.filename.endsWith('.js')

/** A build puts all code into `dist`; the sources have one more folder between. */
const packageFolder = join(import.meta.dirname, isBuilt ? '..' : '../..')

/** Model and list of passwords. */
export const assetsFolder = join(packageFolder, 'assets')

/** The built dashboard. */
export const dashboardFolder = join(packageFolder, isBuilt ? 'dashboard' : '../web/dist')

/** The built documentation site. */
export const docsFolder = join(packageFolder, isBuilt ? 'docs' : '../../site/dist')

/** A program of this package that runs as a process or thread of its own, by its place in the sources. */
export const programFile = (name: 'main' | 'backups/backup-worker' | 'embeddings/run-model'): string =>
  join(packageFolder, isBuilt ? `dist/${name}.js` : `src/${name}.ts`)

/** The version of this package, as `X-Service-Version` and the command line show it. */
export const version = (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string })
  .version

/** How to call the command line, for advice that people can copy. */
export const commandLine = isBuilt ? (isFromNpx(packageFolder) ? 'npx holdfast' : 'holdfast') : 'npm run -s holdfast --'

/** npx installs into a folder of its cache, and its commands aren't in the PATH of later ones. */
function isFromNpx(folder: string): boolean {
  return folder.includes(`${sep}_npx${sep}`)
}
