// Builds the dashboard if its sources are newer than the build. If that fails, the server still starts, and its first page
// says what is missing.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runStep, withLock } from './bootstrap-npm.mjs'

const web = 'packages/web'
const inputs = [
  'package-lock.json',
  `${web}/index.html`,
  `${web}/package.json`,
  `${web}/vite.config.ts`,
  `${web}/src`,
  // The list of operations.
  'packages/client/src',
]

/** Whether the build is missing or older than its inputs. */
export function isWebStale(root) {
  const built = statSync(join(root, web, 'dist', 'index.html'), { throwIfNoEntry: false })
  return built === undefined || inputs.some((path) => newestMs(join(root, path)) > built.mtimeMs)
}

/** Includes the time of folders, because that is the only trace of a deleted file. */
function newestMs(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))))
}

export async function provideWeb(root, node) {
  if (!isWebStale(root)) return
  mkdirSync(join(root, '.runtime'), { recursive: true })
  await withLock(join(root, '.runtime', 'web.lock'), async () => {
    if (!isWebStale(root)) return
    let errors = ''
    await runStep('Building the dashboard', async () => (errors = await buildWeb(root, node)))
    if (errors !== '')
      process.stderr.write(`${errors}\nThe dashboard could not be built; everything else works without it.\n`)
  })
}

/** Builds and returns the errors, or an empty string. A running server sees either the old or the new build. */
async function buildWeb(root, node) {
  const cwd = join(root, web)
  const [newBuild, current, oldBuild] = ['dist.new', 'dist', 'dist.old'].map((name) => join(cwd, name))
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const child = spawn(node, [vite, 'build', '--outDir', newBuild, '--emptyOutDir', '--logLevel', 'error'], {
    cwd,
    // Tests set another NODE_ENV, which would select React's development build.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) return output.trim() || `vite ended with ${code}`
  rmSync(oldBuild, { recursive: true, force: true })
  if (existsSync(current)) renameSync(current, oldBuild)
  renameSync(newBuild, current)
  rmSync(oldBuild, { recursive: true, force: true })
  return ''
}
