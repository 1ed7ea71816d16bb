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
import { repositoryField } from './pack/manifest.ts'

/**
 * Builds the client's package for publishing: JavaScript and types instead of sources, which the workspace runs directly. The
 * folder must be new, empty, or an earlier build. If the build fails, an earlier build stays unchanged.
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

/** Everything that a build creates and may replace. package.json is first, because it identifies a build. */
const builtNames = ['package.json', 'dist', 'README.md', 'LICENSE', 'NOTICE']

function refuseOtherFiles(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const isEarlier =
    names.every((name) => builtNames.includes(name)) &&
    names.includes('package.json') &&
    readFileSync(join(folder, 'package.json'), 'utf8').includes('"name": "@holdfast/client"')
  if (names.length > 0 && !isEarlier)
    throw new Error(`${folder} contains files that are not from an earlier build of the client. Choose an empty folder`)
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
  if (status !== 0) throw new Error(`The client does not compile\n${stdout}`)
  // The compiler rewrites imports only in JavaScript, and older compilers do not accept `.ts` in types.
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
    return [path, { types: `${file}.d.ts`, default: `${file}.js` }] as const
  })
  const entries = built.filter(([path]) => path !== '.').map(([path, { types }]) => [path.slice('./'.length), [types]])
  return {
    ...Object.fromEntries(kept),
    ...repositoryField(),
    // For `moduleResolution: node10`, which ignores `exports`.
    main: './dist/index.js',
    types: './dist/index.d.ts',
    typesVersions: { '*': Object.fromEntries(entries) },
    exports: { ...Object.fromEntries(built), './package.json': './package.json' },
    files: ['dist', 'NOTICE'],
  }
}

const [, script, folder] = process.argv
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  if (folder === undefined) throw new Error('Usage: node scripts/build-client.ts FOLDER')
  buildClient(resolve(folder))
}
