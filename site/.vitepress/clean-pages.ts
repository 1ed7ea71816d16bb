import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The server's policy forbids scripts and styles in pages. Makes files of the two scripts that VitePress writes into each page, and removes
 * the two styles, which are in the style sheet.
 */
export function cleanPages(folder: string, base: string): void {
  const scripts = new Map<string, string>()
  for (const path of globSync('**/*.html', { cwd: folder })) {
    const html = readFileSync(join(folder, path), 'utf8')
    const moved = html.replaceAll(/<script id="([\w-]+)">([^]*?)<\/script>/g, (_, id: string, code: string) => {
      scripts.set(id, code)
      return `<script src="${base}${id}.js"></script>`
    })
    writeFileSync(join(folder, path), moved.replaceAll(/ style="(?:--vp-vh:0px|position:relative);"/g, ''))
  }
  for (const [id, code] of scripts) writeFileSync(join(folder, `${id}.js`), code)
}
