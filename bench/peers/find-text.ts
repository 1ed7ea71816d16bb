import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The files of a folder that contain one of the texts as it is, in UTF-8 or UTF-16. */
export function findText(folder: string, texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) => [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')])
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path)
      return needles.some((needle) => bytes.includes(needle))
    })
    .map((path) => relative(folder, path))
    .toSorted()
}
