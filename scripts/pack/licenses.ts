import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../checks.ts'
import { printLicenses } from '../dependencies/license-texts.ts'
import { listShipped, readLock, type LockedPackage } from '../dependencies/locked-packages.ts'

/** Writes our license and notice into a built package, and the licenses of what it contains or installs of others. */
export function writeLicenses(folder: string, isIn: (one: LockedPackage) => boolean): void {
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(folder, name))
  const shipped = listShipped(root, readLock(root)).packages
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), printLicenses(root, shipped.filter(isIn)))
}
