import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the server shows the site. */
const base = '/docs/'

/**
 * What is wrong with a built site: links to pages, files and headings that don't exist, and what the server's policy would block, which are
 * scripts and styles inside a page.
 */
export function findProblems(folder: string): string[] {
  const files = new Set(globSync('**/*.*', { cwd: folder }).map((path) => path.replaceAll('\\', '/')))
  const pages = new Map(
    [...files].filter((path) => path.endsWith('.html')).map((path) => [path, readPage(join(folder, path))]),
  )
  return [...pages].flatMap(([path, page]) => [
    ...page.inline.map((what) => `${path}: ${what}`),
    ...page.links
      .filter((link) => !isFound(base + path, link, { files, pages }))
      .map((link) => `${path} links to ${link}, which does not exist`),
  ])
}

interface Page {
  ids: ReadonlySet<string>
  links: string[]
  inline: string[]
}

function readPage(file: string): Page {
  const html = readFileSync(file, 'utf8')
  return {
    ids: new Set(Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id = '']) => id)),
    links: Array.from(html.matchAll(/\s(?:href|src)="([^"]*)"/g), ([, link = '']) => link).filter(
      (link) => !/^(?:[a-z]+:|\/\/)/.test(link),
    ),
    inline: Array.from(
      html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>|<style[^>]*>|<[^>]*\sstyle="[^>]*>|<[^>]*\son\w+="[^>]*>/g),
      ([tag]) => `the policy blocks ${tag.slice(0, 120)}`,
    ),
  }
}

interface Built {
  files: ReadonlySet<string>
  pages: ReadonlyMap<string, Page>
}

/** Paths of the server outside the site, which the pages may name. */
const elsewhere = new Set(['/openapi.json', '/llms.txt', '/'])

function isFound(from: string, link: string, { files, pages }: Built): boolean {
  const { pathname, hash } = new URL(link, `http://site${from}`)
  if (elsewhere.has(pathname)) return true
  if (!pathname.startsWith(base)) return false
  const path = decodeURIComponent(pathname.slice(base.length))
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
  if (hash === '') return files.has(file)
  return pages.get(file)?.ids.has(decodeURIComponent(hash.slice(1))) ?? false
}
