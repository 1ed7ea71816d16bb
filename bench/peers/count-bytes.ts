import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The size of all files in a folder. A file with several names counts once: virtual environments link folders to each other. */
export function countBytes(folder: string): number {
  const sizes = new Map<string, number>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const { dev, ino, size } = statSync(join(entry.parentPath, entry.name))
    sizes.set(`${dev} ${ino}`, size)
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}
