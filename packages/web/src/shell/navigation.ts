import {
  Archive,
  Brain,
  Cable,
  ChartColumn,
  House,
  KeyRound,
  Settings,
  Webhook,
  ScrollText,
  TextSearch,
  type LucideIcon,
} from 'lucide-react'

/** A page in the rail, the bottom bar and the command palette. Its route stands in routes.tsx. */
export interface NavEntry {
  path: string
  title: string
  icon: LucideIcon
  group: (typeof navGroups)[number]
  /** After `g`. */
  goKey: string
  /** The first four with this mark; everything else is behind More on small screens. */
  inBottomBar?: true
  /** What else people may call it when they look for it. */
  words?: string
}

export const navGroups = ['Overview', 'Knowledge', 'Agents', 'Service'] as const

/** In the order of the rail. A page that is listed here works. */
export const navigation: readonly NavEntry[] = [
  {
    path: '/',
    title: 'Home',
    icon: House,
    group: 'Overview',
    goKey: 'h',
    inBottomBar: true,
    words: 'overview start health today waiting',
  },
  {
    path: '/memories',
    title: 'Memories',
    icon: Brain,
    group: 'Knowledge',
    goKey: 'm',
    inBottomBar: true,
    words: 'facts preferences remember recall archive',
  },
  {
    path: '/search',
    title: 'Search lab',
    icon: TextSearch,
    group: 'Knowledge',
    goKey: 's',
    inBottomBar: true,
    words: 'explain find rank score threshold query',
  },
  {
    path: '/context',
    title: 'Context preview',
    icon: ScrollText,
    group: 'Knowledge',
    goKey: 'p',
    words: 'session start hook prompt budget mode tokens',
  },
  {
    path: '/agents',
    title: 'Agents & keys',
    icon: KeyRound,
    group: 'Agents',
    goKey: 'a',
    inBottomBar: true,
    words: 'integration api key preset access',
  },
  {
    path: '/connect',
    title: 'Connect',
    icon: Cable,
    group: 'Agents',
    goKey: 'c',
    inBottomBar: true,
    words: 'mcp client snippet claude cursor codex install',
  },
  {
    path: '/vaults',
    title: 'Vaults',
    icon: Archive,
    group: 'Service',
    goKey: 'v',
    words: 'spaces projects',
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    icon: Webhook,
    group: 'Service',
    goKey: 'w',
    words: 'deliveries events endpoint',
  },
  {
    path: '/usage',
    title: 'Usage',
    icon: ChartColumn,
    group: 'Service',
    goKey: 'u',
    words: 'requests quota limits tokens',
  },
  {
    path: '/settings',
    title: 'Settings',
    icon: Settings,
    group: 'Service',
    goKey: ',',
    words: 'appearance theme dark contrast account shortcuts session server',
  },
]

/** Whether a location belongs to an entry: its page, or something below it. */
export const isAt = (path: string, { path: entry }: NavEntry) =>
  path === entry || (entry !== '/' && path.startsWith(`${entry}/`))

export const hasPage = (path: string) => navigation.some((entry) => entry.path === path)
