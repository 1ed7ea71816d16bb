import { dirname, join, relative, sep } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { programs as modules, root } from '../checks.ts'

/** What must be installed: it contains machine code, or is used only where someone has installed it. */
const installed = ['better-sqlite3', '@node-rs/argon2', '@huggingface/transformers', 'pg-native']

/** Those of the package `holdfast`. */
export const serverPrograms = ['main', 'backups/backup-worker', 'embeddings/run-model'] as const

/**
 * Writes JavaScript for Node 22 with all code that the programs run, ours and that of others, which starts in a third of the
 * processor time of the sources (docs/adr/0020-packages.md). `programs`: files in the server's sources without `.ts`; in `folder` they have the same places.
 * Returns the paths of the packages of others that it contains.
 */
export async function bundle(programs: readonly string[], folder: string): Promise<Set<string>> {
  const sources = join(root, 'packages/server/src')
  const built = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, join(sources, `${name}.ts`)])),
    platform: 'node',
    external: (id) => installed.some((name) => id === name || id.startsWith(`${name}/`)),
    // Its CommonJS file can't be bundled. For all others, that file is what Node loads.
    resolve: { alias: { 'jsonc-parser': join(modules, 'jsonc-parser/lib/esm/main.js') } },
    plugins: [plainTexts, builtinsOnFirstUse],
    transform: { target: 'node22' },
    logLevel: 'silent',
  })
  const { output } = await built.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    sourcemap: true,
    // For the lines and names of a stack trace. The sources would double the package.
    sourcemapExcludeSources: true,
    // From the root folder: where the checkout is must not matter.
    sourcemapPathTransform: (source, map) => relative(root, join(dirname(map), source)).replaceAll(sep, '/'),
    // V8 keeps the text of the code in memory: without spaces it has a fifth less, and in ASCII one byte per character instead of two.
    // Errors show the names of functions, so these stay.
    minify: {
      mangle: false,
      compress: true,
      codegen: { removeWhitespace: true, asciiOnly: true },
    },
  })
  await built.close()
  const sourcesIn = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  return new Set(sourcesIn.flatMap((id) => packageIn.exec(relative(root, id).replaceAll(sep, '/'))?.[0] ?? []))
}

/** Fastify and prom-client load these at the start, but use them only with options that the server doesn't set: 6 MB. */
const seldomUsed = new Set(['https', 'node:https', 'node:http2'])

const builtinsOnFirstUse: Plugin = {
  name: 'builtins-on-first-use',
  resolveId: (id, _, { kind }) => (kind === 'require-call' && seldomUsed.has(id) ? `${onFirstUse}${id}` : null),
  load: (id) =>
    id.startsWith(onFirstUse)
      ? `module.exports = new Proxy({}, { get: (_, name) => process.getBuiltinModule('${id.slice(onFirstUse.length)}')[name] })`
      : null,
}

// Rolldown takes ids that begin like this for files that aren't on disk.
const onFirstUse = '\0on-first-use:'

const plainTexts: Plugin = {
  name: 'plain-texts',
  transform: (code) => (code.includes('String.raw`') ? { code: writePlainTexts(code), map: null } : null),
}

/**
 * Writes the templates of String.raw as usual ones: in those, the characters of other languages can be escaped. A single one of them
 * would double what the text of its file takes in memory.
 */
export const writePlainTexts = (code: string): string =>
  code.replaceAll(rawTemplate, (_, raw: string) => `\`${raw.replaceAll(valueOrSign, escape)}\``)

const rawTemplate = /String\.raw`((?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{[^}`]*\})*)`/g
const valueOrSign = /\\[\s\S]|\$\{[^}`]*\}|[`$]/g
const escape = (part: string) => (part.startsWith('${') ? part : part.replaceAll(/[\\`$]/g, String.raw`\$&`))

/** The innermost package of a path, as package-lock.json names it. */
const packageIn = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/
