// Running npm for the bootstrap: which one, one at a time, and quiet unless it fails.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Something that whoever started the command can do something about; its message is all they need to see. */
export class BootstrapError extends Error {}

/** Says on one line what is being done, and how long it took. */
export async function tell(what, work) {
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
  // Whoever has no network should learn it within seconds; npm's own waits add up to more than a minute.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
  '--loglevel=error',
]

// npm's end is tied to the pipe: one that outlived a killed bootstrap would write into the next one's install.
const npmWithParent = "process.stdin.on('end', () => process.exit(1)).resume().unref(); require(process.argv[1])"

/** Runs npm under `node` in `cwd`. Throws with what npm said, and with `hint` as one more way out. */
export async function runNpm(args, { node, cwd, hint = '' }) {
  const cli = findNpm()
  if (cli === undefined)
    throw new BootstrapError(`npm was not found: it comes with Node and does the installing. ${hint}`)
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
    ? 'The package registry cannot be reached. Check the network and proxy settings, and try again.'
    : 'npm says why above.'
  return `${output.trim()}\n\nnpm ${args[0]} failed. ${advice} ${hint}`.trim()
}

function findNpm() {
  const beside = dirname(process.execPath)
  const onPath = (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'npm'))
  return [
    process.env.npm_execpath ?? '',
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...onPath.filter((file) => existsSync(file)).map((file) => realpathSync(file)),
  ].find((file) => file.endsWith('npm-cli.js') && existsSync(file))
}

const heartbeatMs = 1000
const staleMs = 10_000

/**
 * Runs `work` while no other process installs in this checkout. The lock is a file that its holder keeps touching, so
 * that neither a crash nor a restart of the machine leaves it held.
 */
export async function withLock(file, work) {
  let told = false
  while (!tryLock(file)) {
    if (ageMs(file) > staleMs) {
      rmSync(file, { force: true })
      continue
    }
    if (!told) process.stderr.write('Another process is installing in this checkout; waiting for it.\n')
    told = true
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

/** A lock that has just been given back is as young as can be. */
const ageMs = (file) => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
