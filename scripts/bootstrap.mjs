// Runs Holdfast from a checkout on any machine with Node 18 or newer: installs a suitable Node and the dependencies if
// necessary, then runs the verb. It is plain JavaScript without dependencies, because nothing is installed yet. It prints
// only what it installs, and to stderr, because stdout belongs to the verb.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BootstrapError } from './bootstrap-npm.mjs'
import { provideNode } from './bootstrap-provide.mjs'
import { provideWeb } from './bootstrap-web.mjs'

const parentCheckMs = 500
// Read at once, while the parent still exists.
const parentId = process.ppid

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const main = join(root, 'packages', 'server', 'src', 'main.ts')
const script = (name) => join(root, 'scripts', name)

const verbs = {
  // The flag: see "Memory" in docs/self-hosting.md.
  start: ['--max-semi-space-size=16', main, 'serve'],
  dev: ['--watch', main, 'serve'],
  demo: [script('demo.ts')],
  holdfast: [main],
  test: [script('run-tests.ts')],
  'test:long': [script('run-tests.ts')],
  check: [script('run-checks.ts')],
  generate: [script('generate.ts')],
  bench: [join(root, 'bench', 'run.ts')],
  'bench:peers': [join(root, 'bench', 'peers', 'run.ts')],
  sbom: [script('list-dependencies.ts')],
  audit: [script('audit.ts')],
  'node-checksums': [script('check-node.ts')],
  pack: [script('pack.ts')],
  docs: [script('build-docs.ts')],
}

const verbsWithWeb = ['start', 'dev', 'demo']
// npm runs scripts in the checkout. These verbs work in the folder that npm was called from.
const verbsOfCaller = ['start', 'dev', 'holdfast']

/** Only npm's own word counts: a program that npm has started passes INIT_CWD on to everything that it starts. */
const callersFolder = (verb) =>
  process.env.npm_lifecycle_event === verb && process.cwd() === root ? (process.env.INIT_CWD ?? root) : process.cwd()

/** Runs the child and exits with its exit code, or with 128 plus the number of its signal. */
function run(node, args, cwd) {
  const child = spawn(node, args, { stdio: 'inherit', cwd })
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      isStopping = true
      // A terminal sends Ctrl-C to the child too. A second signal would end it at once.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  const watch = setInterval(() => {
    if (!isStopping && hasLostNpm()) {
      isStopping = true
      child.kill('SIGTERM')
    }
  }, parentCheckMs)
  watch.unref()
  child.on('error', (error) => fail(new BootstrapError(`${node} cannot run: ${error.message}`)))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/**
 * Whether npm is gone: the shell between npm and this process ends at a SIGTERM without forwarding it. Without npm, the parent
 * may exit on purpose and leave this process running.
 */
const hasLostNpm = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parentId

function fail(error) {
  if (!(error instanceof BootstrapError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
}

const [verb, ...rest] = process.argv.slice(2)
const command = Object.hasOwn(verbs, verb ?? '') ? verbs[verb] : undefined
if (command === undefined)
  fail(new BootstrapError(`Usage: node scripts/bootstrap.mjs <${Object.keys(verbs).join('|')}> [...]`))
if (verb === 'test:long') process.env.VITEST_LONG = '1'

try {
  const node = await provideNode(root)
  process.env.PATH = dirname(node) + delimiter + process.env.PATH
  if (verbsWithWeb.includes(verb)) await provideWeb(root, node)
  run(node, [...command, ...rest], verbsOfCaller.includes(verb) ? callersFolder(verb) : process.cwd())
} catch (error) {
  fail(error)
}
