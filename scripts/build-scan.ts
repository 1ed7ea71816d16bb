/**
 * Builds the vector scan from its source (vault-index/parts/scan.wat) and writes the module's bytes into scan.ts next to it. They are
 * checked in, so the server needs no assembler. Run this after changing the source; a test compares the two.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import loadWabt from 'wabt'

const folder = join(import.meta.dirname, '../packages/server/src/vault-index/parts')

/** Returns the text of scan.ts for the current source. */
export async function buildScan(): Promise<string> {
  const wabt = await loadWabt()
  const parsed = wabt.parseWat('scan.wat', readFileSync(join(folder, 'scan.wat'), 'utf8'), {
    simd: true,
    relaxed_simd: true,
  })
  parsed.resolveNames()
  parsed.validate()
  const base64 = Buffer.from(parsed.toBinary({}).buffer).toString('base64')
  parsed.destroy()
  return readFileSync(join(folder, 'scan.ts'), 'utf8').replace(/(?<=^const scanWasm =\s+')[\w+/=]*/m, base64)
}

if (import.meta.main) writeFileSync(join(folder, 'scan.ts'), await buildScan())
