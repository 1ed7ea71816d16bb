// Provides what Holdfast needs to run: Node 24 or newer in .runtime/ and the dependencies in node_modules/.

import { spawnSync } from 'node:child_process'
// oxlint-disable-next-line no-restricted-imports -- crypto/ is TypeScript, which this Node may not run
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BootstrapError, runNpm, runStep, withLock } from './bootstrap-npm.mjs'
import { nodePackages, platform } from './node-packages.mjs'

const neededMajor = 24

const nodePackage = nodePackages[platform]
const nodePackageName = nodePackage?.name ?? `node-${platform}`

/** Returns the path of a Node that can run the sources. Installs Node and the dependencies if necessary. */
export async function provideNode(root) {
  const node = findNode(root)
  if (node !== undefined && areDependenciesInstalled(root)) return node
  const runtimeDir = join(root, '.runtime')
  mkdirSync(runtimeDir, { recursive: true })
  return withLock(join(runtimeDir, 'install.lock'), async () => {
    const found = findNode(root) ?? (await fetchNode(root))
    if (!areDependenciesInstalled(root)) await installDependencies(root, found)
    return found
  })
}

export const isRecentEnough = (version) => Number(version.split('.')[0]) >= neededMajor

function findNode(root) {
  if (isRecentEnough(process.versions.node)) return process.execPath
  const dir = join(root, '.runtime', 'node_modules', nodePackageName)
  return readJson(join(dir, 'package.json'))?.version === nodePackage?.version ? nodeIn(dir) : undefined
}

const nodeIn = (dir) => join(dir, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

async function fetchNode(root) {
  const need = `Holdfast needs Node ${neededMajor} or newer; this is ${process.versions.node}.`
  if (nodePackage === undefined)
    throw new BootstrapError(`${need} There is no package for ${platform}. Install Node and try again.`)
  const { version, integrity, sha256 } = nodePackage
  // Installs into a separate folder first, so an interrupted download leaves no partial Node.
  const dir = join(root, '.runtime', 'fetch')
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir)
  writeJson(join(dir, 'package.json'), { private: true, dependencies: { [nodePackageName]: version } })
  writeJson(join(dir, 'package-lock.json'), {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { [nodePackageName]: version } },
      [`node_modules/${nodePackageName}`]: { version, integrity },
    },
  })
  await runStep(`Downloading Node ${version} (this is ${process.versions.node})`, () =>
    runNpm(['ci'], { node: process.execPath, cwd: dir, hint: `Or install Node ${neededMajor} yourself.` }),
  )
  const program = nodeIn(join(dir, 'node_modules', nodePackageName))
  if (!hasHash(program, sha256))
    throw new BootstrapError(
      `${need} The one from the registry is not the official program. Install Node and try again.`,
    )
  const fetched = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (fetched.stdout?.trim() !== `v${version}`)
    throw new BootstrapError(
      `${need} The one from the registry does not run on this machine. Install Node and try again.`,
    )
  const target = join(root, '.runtime', 'node_modules')
  rmSync(target, { recursive: true, force: true })
  renameSync(join(dir, 'node_modules'), target)
  rmSync(dir, { recursive: true, force: true })
  return nodeIn(join(target, nodePackageName))
}

/** Checked before the program runs for the first time. Later starts trust the folder, like that of the dependencies. */
export const hasHash = (file, sha256) => createHash('sha256').update(readFileSync(file)).digest('hex') === sha256

const installRecord = (root) => join(root, 'node_modules', '.package-lock.json')

/** Compares with npm's record of the last install, so a manual install counts and an interrupted one doesn't. */
function areDependenciesInstalled(root) {
  const installed = readJson(installRecord(root))
  return installed !== undefined && agree(readJson(join(root, 'package-lock.json')), installed)
}

/** Whether everything in the lock file is installed, except optional packages, which are mostly for other platforms. */
export function agree(lock, installed) {
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (wanted.optional || !path.includes('node_modules/')) return true
    const found = installed.packages[path]
    return found !== undefined && found.version === wanted.version && found.integrity === wanted.integrity
  })
}

async function installDependencies(root, node) {
  // Delete the record first, because it would be wrong during the install.
  rmSync(installRecord(root), { force: true })
  await runStep('Installing dependencies', () =>
    runNpm(['ci', '--include=dev', '--include=optional'], { node, cwd: root }),
  )
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

const writeJson = (file, value) => writeFileSync(file, JSON.stringify(value))
