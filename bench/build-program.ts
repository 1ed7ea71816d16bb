import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildHoldfast } from '../scripts/pack/holdfast.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Builds the package that npm installs. It starts faster and needs less memory than the sources. Returns the file of its command line. */
export async function buildProgram(): Promise<string> {
  process.stderr.write('Building the package …\n')
  const folder = makeTemporaryFolder()
  await buildHoldfast(folder)
  symlinkSync(join(dirname(import.meta.dirname), 'node_modules'), join(folder, 'node_modules'), 'junction')
  return join(folder, 'dist', 'main.js')
}
