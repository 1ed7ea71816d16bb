import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listPages, operationsPage } from './pages.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { splitOperations } from './split-operations.ts'

/** Writes the pages of the site into an empty folder, as VitePress reads them. */
export function stagePages(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const pages = listPages(root)
  for (const [source, target] of pages) {
    // The first page of a code host is another one.
    if (source === 'README.md') continue
    const text = rewriteLinks(readFileSync(join(root, source), 'utf8'), { root, source, target, pages })
    if (source === operationsPage) for (const [path, part] of splitOperations(text)) write(path, part)
    else write(target, text)
  }
  cpSync(join(root, 'docs/images'), join(folder, 'images'), { recursive: true })
}
