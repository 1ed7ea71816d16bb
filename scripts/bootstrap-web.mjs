// The dashboard's build, made where its sources are newer. A build that fails keeps nobody from starting the server, which
// says on its first page what is missing.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tell, withLock } from './bootstrap-npm.mjs'

const web = 'packages/web'
const inputs = [
  'package-lock.json',
  `${web}/index.html`,
  `${web}/package.json`,
  `${web}/vite.config.ts`,
  `${web}/src`,
  // Which operations there are.
  'packages/client/src',
]

/** Whether there is no build, or one that is older than what it was made of. */
export function isWebStale(root) {
  const built = statSync(join(root, web, 'dist', 'index.html'), { throwIfNoEntry: false })
  return built === undefined || inputs.some((path) => newestMs(join(root, path)) > built.mtimeMs)
}

/** Folders count by themselves too: that a file is gone shows there alone. */
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
    let said = ''
    await tell('Building the dashboard', async () => (said = await buildWeb(root, node)))
    if (said !== '')
      process.stderr.write(`${said}\nThe dashboard could not be built; everything else works without it.\n`)
  })
}

/** What the builder said, where it failed; else nothing. A server that runs meanwhile sees the old build or the new one. */
async function buildWeb(root, node) {
  const cwd = join(root, web)
  const [made, current, former] = ['dist.new', 'dist', 'dist.old'].map((name) => join(cwd, name))
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const child = spawn(node, [vite, 'build', '--outDir', made, '--emptyOutDir', '--logLevel', 'error'], {
    cwd,
    // Whoever builds it, tests too: React has another build for development.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) return output.trim() || `vite ended with ${code}`
  rmSync(former, { recursive: true, force: true })
  if (existsSync(current)) renameSync(current, former)
  renameSync(made, current)
  rmSync(former, { recursive: true, force: true })
  return ''
}
