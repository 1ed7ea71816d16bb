import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

type Item = DefaultTheme.SidebarItem

/**
 * By subject. A page that isn't listed here is at the end of the guides, except for those in folders. Operations aren't listed, since each page contains
 * the whole sidebar: their own page lists them, and so does the search.
 */
const subjects: readonly { text: string; pages: readonly string[]; collapsed?: boolean }[] = [
  { text: 'Start', pages: ['index', 'first-agent', 'connect', 'dashboard', 'glossary'] },
  {
    text: 'Guides',
    pages: [
      'sessions',
      'search',
      'tasks',
      'notes',
      'messages',
      'graph',
      'vaults',
      'write-policy',
      'webhooks',
      'import-export',
      'mcp',
    ],
  },
  {
    text: 'Operate',
    pages: [
      'self-hosting',
      'deploy',
      'configuration',
      'monitoring',
      'encryption',
      'benchmarks',
      'comparison',
      'supply-chain',
      'changelog',
    ],
  },
  {
    text: 'Security',
    pages: ['security', 'promises', 'poisoned-memory', 'asvs', 'stored-columns'],
    collapsed: true,
  },
  {
    text: 'Reference',
    pages: ['api/operations', 'api/records', 'cli', 'typescript-client', 'python', 'python-client'],
  },
  { text: 'Inside', pages: ['architecture', 'search-design', 'contributing'], collapsed: true },
]

/** Where the title of a page says too little next to others. */
const shortTitles: Readonly<Record<string, string>> = {
  index: 'What it is',
  'use/index': 'All of them',
  'adr/index': 'All of them',
  python: 'Python, overview',
  'python-client': 'Python client',
  'typescript-client': 'TypeScript client',
}

/** Pages of operations get only the reference: each page contains its sidebar, and there are many of them. */
export function createSidebar(folder: string): DefaultTheme.SidebarMulti {
  const title = (page: string) => readTitle(join(folder, `${page}.md`))
  const link = (page: string): Item => ({
    text: shortTitles[page] ?? title(page),
    link: `/${page.replace(/(^|\/)index$/, '$1')}`,
  })
  const listed = subjects.map(({ text, pages, collapsed }) => ({
    text,
    items: (text === 'Guides' ? [...pages, ...listOthers(folder)] : pages)
      .filter((page) => existsSync(join(folder, `${page}.md`)))
      .map(link),
    ...(collapsed && { collapsed }),
  }))
  const inFolder = (name: string) =>
    globSync(`${name}/*.md`, { cwd: folder })
      .map((path) => path.replaceAll('\\', '/').replace(/\.md$/, ''))
      .toSorted((a, b) => Number(b.endsWith('/index')) - Number(a.endsWith('/index')) || a.localeCompare(b))
  const uses: Item = { text: 'Use it from', items: inFolder('use').map(link) }
  const decisions: Item = { text: 'Design decisions', items: inFolder('adr').map(link), collapsed: true }
  const [start, ...others] = listed
  const reference = listed.filter(({ text }) => ['Start', 'Reference'].includes(text))
  return { '/api/': reference, '/': [start as Item, uses, ...others, decisions] }
}

function listOthers(folder: string): string[] {
  const listed = new Set(subjects.flatMap(({ pages }) => pages))
  return globSync('*.md', { cwd: folder })
    .map((path) => path.replace(/\.md$/, ''))
    .filter((page) => !listed.has(page))
    .toSorted((a, b) => a.localeCompare(b))
}

function readTitle(file: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  if (title === undefined) throw new Error(`${file} has no title`)
  return title.replaceAll('`', '')
}
