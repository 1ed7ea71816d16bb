import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildDocs } from '../build-docs.ts'

/**
 * Builds the documentation site for the package: texts are only there compressed, a fifth of their size. The server decompresses them for
 * the few clients that can't.
 */
export function packDocs(folder: string): void {
  buildDocs(folder)
  for (const path of globSync('**/*.{html,js,css,svg,txt}', { cwd: folder })) {
    const file = join(folder, path)
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
    rmSync(file)
  }
}
