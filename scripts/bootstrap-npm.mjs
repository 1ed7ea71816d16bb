// Runs npm for the bootstrap: finds it, allows one install at a time, and prints its output only on failure.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A problem that the user can fix. Only its message is shown. */
export class BootstrapError extends Error {}

/** Runs a step and prints on one line what it does and how long it took. */
export async function runStep(what, work) {
  process.stderr.write(`${what} ... `)
  const started = Date.now()
  await work()
  process.stderr.write(`${((Date.now() - started) / 1000).toFixed(1)} s\n`)
}

const flags = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--prefer-offline',
  // Without a network, fail within seconds. npm's defaults add up to more than a minute.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
  '--loglevel=error',
]

// npm ends with its pipe. Otherwise it could outlive a killed bootstrap and disturb the next install.
const npmWithParent = "process.stdin.on('end', () => process.exit(1)).resume().unref(); require(process.argv[1])"

/** Runs npm with `node` in `cwd`. On failure, throws an error with npm's output and `hint`. */
export async function runNpm(args, { node, cwd, hint = '' }) {
  const cli = findNpm()
  if (cli === undefined) throw new BootstrapError(`npm was not found. It comes with Node. ${hint}`)
  const child = spawn(node, ['-e', npmWithParent, cli, ...args, ...flags], { cwd, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const stop = (signal) => child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, stop)
  const [code, signal] = await once(child, 'close')
  for (const each of signals) process.off(each, stop)
  if (signal !== null) throw new BootstrapError(`Stopped by ${signal}.`)
  if (code !== 0) throw new BootstrapError(explain(args, output, hint))
}

function explain(args, output, hint) {
  const offline = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/.test(output)
  const advice = offline
    ? 'The package registry cannot be reached. Check your network and proxy settings, and try again.'
    : 'See the output above.'
  return `${output.trim()}\n\nnpm ${args[0]} failed. ${advice} ${hint}`.trim()
}

/** Path of the npm that comes with Node, or that is on the PATH. */
export function findNpm() {
  const nodeFolder = dirname(process.execPath)
  const onPath = (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'npm'))
  return [
    process.env.npm_execpath ?? '',
    join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(nodeFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...onPath.filter((file) => existsSync(file)).map((file) => realpathSync(file)),
  ].find((file) => file.endsWith('npm-cli.js') && existsSync(file))
}

const heartbeatMs = 1000
const staleMs = 10_000

/**
 * Runs `work` while no other process installs in this checkout. The lock is a file that its holder touches regularly, so a
 * crash or a restart of the machine releases it.
 */
export async function withLock(file, work) {
  let hasReported = false
  while (!tryLock(file)) {
    if (ageMs(file) > staleMs) {
      rmSync(file, { force: true })
      continue
    }
    if (!hasReported) process.stderr.write('Waiting for another process that is installing in this checkout.\n')
    hasReported = true
    await sleep(200)
  }
  const heartbeat = setInterval(() => utimesSync(file, new Date(), new Date()), heartbeatMs)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    rmSync(file, { force: true })
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Returns the age of the lock, or 0 if it has just been released. */
const ageMs = (file) => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
