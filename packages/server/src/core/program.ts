import { readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { quoteForShell } from './quote-for-shell.ts'

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

/** The folder of the checkout. Not of use in a package. */
const checkout = join(packageFolder, '../..')

/** The same, undefined in a package. It contains the plugins. */
export const checkoutFolder = isBuilt ? undefined : checkout

/** Without a setting, all commands of a checkout use the same folder, wherever they are called. */
export const defaultDataDir = isBuilt ? resolve('data') : join(checkout, 'data')

/** How to call the command line, for readers on any machine. */
export const commandLine = isBuilt ? (isFromNpx(packageFolder) ? 'npx holdfast' : 'holdfast') : 'npm run -s holdfast --'

/** The same for a person at this terminal: outside of the checkout, npm has to know where it is. */
export const commandLineHere =
  isBuilt || process.cwd() === checkout ? commandLine : `npm --prefix ${quoteForShell(checkout)} run -s holdfast --`

/** What a command needs to find this store, with a space in front; empty for the default folder. */
export const dataDirOption = (dataDir: string): string =>
  dataDir === defaultDataDir ? '' : ` --data-dir ${quoteForShell(dataDir)}`

/** npx installs into a folder of its cache, and its commands aren't in the PATH of later ones. */
function isFromNpx(folder: string): boolean {
  return folder.includes(`${sep}_npx${sep}`)
}
