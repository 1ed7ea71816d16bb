import { globSync } from 'node:fs'
import { posix } from 'node:path'

/** Pages that are next to the code, with their places in the site. */
const elsewhere: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'CHANGELOG.md': 'changelog.md',
  'packages/client/README.md': 'typescript-client.md',
  'clients/python/README.md': 'python-client.md',
}

/** Each of its sections becomes a page: it is too long for one. */
export const operationsPage = 'docs/api/operations.md'

/** The pages of the site: from their paths in the repository to those in the site. */
export function listPages(root: string): ReadonlyMap<string, string> {
  const own = globSync('docs/**/*.md', { cwd: root }).map((path): [string, string] => {
    const source = path.replaceAll('\\', '/')
    return [source, source.slice('docs/'.length).replace(/README\.md$/, 'index.md')]
  })
  const pages = new Map([...own, ...Object.entries(elsewhere)])
  // What a code host shows first says the same as the first page.
  pages.set('README.md', 'index.md')
  return pages
}

/** The relative path from one page of the site to another. */
export const pathBetween = (from: string, to: string): string => {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
