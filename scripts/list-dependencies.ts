import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './checks.ts'
import { printCycloneDx } from './dependencies/cyclonedx.ts'
import { printLicenses } from './dependencies/license-texts.ts'
import { findRefused, shippedLicenses, toolLicenses } from './dependencies/licenses.ts'
import { listAll, listShipped, readLock } from './dependencies/locked-packages.ts'

// `npm run sbom -- <folder>` writes the bill of materials and the licenses there. Without a folder, only checks the licenses.

const lock = readLock(root)
const shipped = listShipped(root, lock)
const shippedPaths = new Set(shipped.packages.map(({ path }) => path))
const tools = listAll(lock).filter(({ path }) => !shippedPaths.has(path))
const refused = [
  ...findRefused(shipped.packages, shippedLicenses).map((found) => `shipped   ${found}`),
  ...findRefused(tools, { ...shippedLicenses, ...toolLicenses }).map((found) => `tool      ${found}`),
]
if (refused.length > 0) {
  const advice = 'Use another package, or accept the license with a reason in scripts/dependencies/licenses.ts.'
  console.error(`Licenses that aren't accepted:\n\n${refused.join('\n')}\n\n${advice}`)
  process.exit(1)
}

const [folder] = process.argv.slice(2)
if (folder !== undefined) {
  // npm runs scripts in the root folder, but people name folders from where they are.
  const target = resolve(process.env['INIT_CWD'] ?? '.', folder)
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'holdfast.cdx.json'), printCycloneDx(root, shipped))
  writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), printLicenses(root, shipped.packages))
}
const done = folder === undefined ? 'all licenses are accepted' : `written to ${folder}`
console.log(`${shipped.packages.length} packages are shipped, ${tools.length} are tools: ${done}`)
