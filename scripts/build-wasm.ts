/**
 * Builds the innermost loops from their sources (.wat) and writes each module's bytes into a TypeScript file beside it, which
 * is checked in: the service itself needs no assembler. Run it after a change of a source; tests compare the two.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import loadWabt from 'wabt'

const sources = join(import.meta.dirname, '../packages/server/src')

interface Loop {
  /** In the server's sources. */
  folder: string
  /** Of the .wat file. */
  name: string
  /** The constant that holds the bytes. */
  constant: string
}

export const vectorScan: Loop = { folder: 'vault-index', name: 'scan', constant: 'scanWasm' }
export const rowSums: Loop = { folder: 'embeddings', name: 'row-sums', constant: 'rowSumsWasm' }

/** The text of the TypeScript file as the present source gives it. */
export async function buildWasm({ folder, name, constant }: Loop): Promise<string> {
  const wabt = await loadWabt()
  const parsed = wabt.parseWat(`${name}.wat`, readFileSync(join(sources, folder, `${name}.wat`), 'utf8'), {
    simd: true,
  })
  parsed.resolveNames()
  parsed.validate()
  const base64 = Buffer.from(parsed.toBinary({}).buffer).toString('base64')
  parsed.destroy()
  return `/** Made from ${name}.wat by scripts/build-wasm.ts; do not edit. */\nexport const ${constant} =\n  '${base64}'\n`
}

if (import.meta.main)
  for (const loop of [vectorScan, rowSums])
    writeFileSync(join(sources, loop.folder, `${loop.name}-wasm.ts`), await buildWasm(loop))
