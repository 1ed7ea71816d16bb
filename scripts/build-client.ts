import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programs, root } from './checks.ts'

/**
 * Makes the client's package as it is published: JavaScript and types in place of sources. In the workspace the sources run
 * as they are, so nothing of this is kept. The folder is a new or empty one, or that of an earlier build, which stays as it
 * was where this one fails; any other is refused.
 *
 *     node scripts/build-client.ts FOLDER && npm publish FOLDER
 */
export function buildClient(folder: string): void {
  refuseOtherFiles(folder)
  const built = mkdtempSync(join(tmpdir(), 'holdfast-build-client-'))
  try {
    buildIn(built)
    mkdirSync(folder, { recursive: true })
    for (const name of builtNames) {
      rmSync(join(folder, name), { recursive: true, force: true })
      cpSync(join(built, name), join(folder, name), { recursive: true })
    }
  } finally {
    rmSync(built, { recursive: true })
  }
}

/** All that a build makes, and so all that one may replace; first that by which the next one knows it. */
const builtNames = ['package.json', 'dist', 'README.md', 'LICENSE', 'NOTICE']

function refuseOtherFiles(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const isEarlier =
    names.every((name) => builtNames.includes(name)) &&
    names.includes('package.json') &&
    readFileSync(join(folder, 'package.json'), 'utf8').includes('"name": "@holdfast/client"')
  if (names.length > 0 && !isEarlier)
    throw new Error(`${folder} holds other things than an earlier build of the client: name an empty folder`)
}

function buildIn(folder: string): void {
  compile(join(folder, 'dist'))
  const source = join(root, 'packages/client')
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'))
  for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(root, file), join(folder, file))
}

interface Manifest {
  exports: Record<string, { types: string; default: string }>
  [field: string]: unknown
}

function compile(target: string): void {
  const compiler = join(programs, 'typescript/bin/tsc')
  const project = join(root, 'packages/client/tsconfig.build.json')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', target], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The client does not compile for publishing\n${stdout}`)
  // The compiler rewrites the names of imported files in JavaScript alone, and compilers before it know no `.ts` there.
  for (const file of globSync('**/*.d.ts', { cwd: target })) {
    const path = join(target, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/((?:from|import\() ?'\.[^']*)\.ts'/g, "$1.js'"))
  }
}

function publishedManifest(manifest: Manifest): object {
  const { exports, ...others } = manifest
  const kept = Object.entries(others).filter(([field]) => !['private', 'devDependencies'].includes(field))
  const built = Object.entries(exports).map(([path, { default: source }]) => {
    const file = source.replace('./src/', './dist/').replace(/\.ts$/, '')
    return [path, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  return {
    ...Object.fromEntries(kept),
    exports: { ...Object.fromEntries(built), './package.json': './package.json' },
    files: ['dist', 'NOTICE'],
  }
}

const [, script, folder] = process.argv
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  if (folder === undefined) throw new Error('Usage: node scripts/build-client.ts FOLDER')
  buildClient(resolve(folder))
}
