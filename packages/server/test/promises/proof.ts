import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A test by its file, from the root folder, and its title as the file has it, placeholders included. */
export interface Proof {
  file: string
  test: string
}

const inFolder =
  (folder: string) =>
  (file: string, ...tests: string[]): Proof[] =>
    tests.map((test) => ({ file: `${folder}/${file}`, test }))

export const test = inFolder('packages/server/test')
export const crash = inFolder('packages/server/test/crash')
export const source = inFolder('packages/server/src')
export const scripts = inFolder('scripts')
export const web = inFolder('packages/web/src')
export const browser = inFolder('packages/web/e2e')

const root = join(import.meta.dirname, '../../../..')

/** Titles are texts in the source, in whichever quotes fit. */
const spellings = (title: string) => [`'${title}'`, `"${title}"`, `\`${title}\``]

/** Whether the file has a test with this title. The test may be in a function of the same folder, which the file calls. */
export function exists({ file, test: title }: Proof): boolean {
  const path = join(root, file)
  if (!existsSync(path)) return false
  const text = readFileSync(path, 'utf8')
  const imported = Array.from(text.matchAll(/from '\.\/([\w-]+\.ts)'/g), ([, name = '']) => join(dirname(path), name))
  const all = [text, ...imported.map((other) => readFileSync(other, 'utf8'))].join('\n')
  return spellings(title).some((spelling) => all.includes(spelling))
}
