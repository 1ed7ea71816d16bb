// Runs Holdfast from a checkout on any machine with Node 18 or newer: gets a Node that runs it and the dependencies where they are
// missing, then runs the verb. Plain JavaScript without dependencies, since nothing else can be relied on yet.
// Where everything is there it says nothing; what it says goes to stderr, because stdout belongs to the verb.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BootstrapError } from './bootstrap-npm.mjs'
import { provideNode } from './bootstrap-provide.mjs'
import { provideWeb } from './bootstrap-web.mjs'

const parentCheckMs = 500
// Before anything takes time in which it could be gone.
const parentId = process.ppid

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const main = join(root, 'packages', 'server', 'src', 'main.ts')
const script = (name) => join(root, 'scripts', name)

const verbs = {
  start: [main, 'serve'],
  dev: ['--watch', main, 'serve'],
  demo: [script('demo.ts')],
  holdfast: [main],
  test: [script('run-tests.ts')],
  'test:long': [script('run-tests.ts')],
  check: [script('run-checks.ts')],
  generate: [script('generate.ts')],
  bench: [join(root, 'bench', 'run.ts')],
}

const verbsWithWeb = ['start', 'dev', 'demo', 'test', 'test:long']

/** Ends this process with the child's exit code, or with 128 and the number of the signal that ended the child. */
function run(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' })
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      isStopping = true
      // A terminal sends its Ctrl-C to the child as well, and a second one would cut its orderly end short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  const watch = setInterval(() => {
    if (!isStopping && isLeftByNpm()) {
      isStopping = true
      child.kill('SIGTERM')
    }
  }, parentCheckMs)
  watch.unref()
  child.on('error', (error) => fail(new BootstrapError(`${node} cannot be run: ${error.message}`)))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/**
 * The shell that npm puts between itself and us dies of a SIGTERM without passing it on. Whoever starts us without npm may go
 * and leave us running on purpose.
 */
const isLeftByNpm = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parentId

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
  run(node, [...command, ...rest])
} catch (error) {
  fail(error)
}
