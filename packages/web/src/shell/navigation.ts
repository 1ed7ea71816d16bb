import {
  Archive,
  ArrowLeftRight,
  Brain,
  Cable,
  ChartColumn,
  ClipboardCheck,
  History,
  House,
  Inbox,
  KeyRound,
  ListTodo,
  MessageCircleQuestionMark,
  NotebookText,
  Settings,
  Webhook,
  ScrollText,
  BookOpenText,
  Tag,
  Trash2,
  Waypoints,
  TextSearch,
  Workflow,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { useSession } from './session.ts'
import { ReviewBadge, WaitingBadge } from './waiting-badge.tsx'

/** A page in the rail, the bottom bar and the command palette. Its route is in routes.tsx. */
export interface NavEntry {
  path: string
  title: string
  icon: LucideIcon
  group: (typeof navGroups)[number]
  /** The key to press after `g`. */
  goKey: string
  /** Shown in the bottom bar of small screens, which has room for four. All pages are under More. */
  inBottomBar?: true
  /** Shown in the rail only under More, which leaves about ten pages in view. */
  isUnderMore?: true
  /** Shown next to the title. */
  badge?: ComponentType
  /** Shown only if the server has a language model. */
  needsModel?: true
  /** More words that find the page in the palette. */
  words?: string
}

export const navGroups = ['Overview', 'Knowledge', 'Agents', 'Service'] as const

/** In the order of the rail. */
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
    path: '/messages',
    title: 'Inbox',
    icon: Inbox,
    group: 'Overview',
    goKey: 'i',
    inBottomBar: true,
    badge: WaitingBadge,
    words: 'messages threads directive broadcast acknowledge reply send',
  },
  {
    path: '/review',
    title: 'Review',
    icon: ClipboardCheck,
    group: 'Overview',
    goKey: 'e',
    inBottomBar: true,
    badge: ReviewBadge,
    words: 'proposals contradictions duplicates merge unsure changed removed trust judge accept reject',
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
    path: '/tasks',
    title: 'Tasks',
    icon: ListTodo,
    group: 'Knowledge',
    goKey: 't',
    words: 'board to do done blocked backlog assign claim',
  },
  {
    path: '/notes',
    title: 'Notes',
    icon: NotebookText,
    group: 'Knowledge',
    goKey: 'n',
    words: 'markdown folders write wiki backlinks trash',
  },
  {
    path: '/ask',
    title: 'Ask',
    icon: MessageCircleQuestionMark,
    group: 'Knowledge',
    goKey: 'q',
    needsModel: true,
    words: 'question answer chat language model',
  },
  {
    path: '/graph',
    title: 'Graph',
    icon: Workflow,
    group: 'Knowledge',
    goKey: 'y',
    words: 'links network map relations nodes neighbors path',
  },
  {
    path: '/entities',
    title: 'Entities',
    icon: Tag,
    group: 'Knowledge',
    goKey: 'b',
    isUnderMore: true,
    words: 'tags people things names about timeline',
  },
  {
    path: '/search',
    title: 'Search lab',
    icon: TextSearch,
    group: 'Knowledge',
    goKey: 's',
    isUnderMore: true,
    words: 'explain find rank score threshold query',
  },
  {
    path: '/context',
    title: 'Context preview',
    icon: ScrollText,
    group: 'Knowledge',
    goKey: 'p',
    isUnderMore: true,
    words: 'session start hook prompt budget mode tokens',
  },
  {
    path: '/documents',
    title: 'Documents',
    icon: BookOpenText,
    group: 'Knowledge',
    goKey: 'd',
    isUnderMore: true,
    words: 'soul instructions skills checks rules template lock',
  },
  {
    path: '/trash',
    title: 'Trash',
    icon: Trash2,
    group: 'Knowledge',
    goKey: 'x',
    isUnderMore: true,
    words: 'archived deleted restore erase permanently',
  },
  {
    path: '/agents',
    title: 'Agents & keys',
    icon: KeyRound,
    group: 'Agents',
    goKey: 'a',
    words: 'integration api key preset access',
  },
  {
    path: '/runs',
    title: 'Runs',
    icon: Waypoints,
    group: 'Agents',
    goKey: 'r',
    words: 'sessions calls errors checkpoint undo timeline',
  },
  {
    path: '/connect',
    title: 'Connect',
    icon: Cable,
    group: 'Agents',
    goKey: 'c',
    isUnderMore: true,
    words: 'mcp client snippet claude cursor codex install',
  },
  {
    path: '/vaults',
    title: 'Vaults',
    icon: Archive,
    group: 'Service',
    goKey: 'v',
    isUnderMore: true,
    words: 'spaces projects',
  },
  {
    path: '/transfer',
    title: 'Import & export',
    icon: ArrowLeftRight,
    group: 'Service',
    goKey: 'o',
    isUnderMore: true,
    words: 'obsidian notion chatgpt claude mem0 zip backup download upload move',
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    icon: Webhook,
    group: 'Service',
    goKey: 'w',
    isUnderMore: true,
    words: 'deliveries events endpoint',
  },
  {
    path: '/activity',
    title: 'Activity',
    icon: History,
    group: 'Service',
    goKey: 'l',
    isUnderMore: true,
    words: 'log audit history who did what sign-in export address',
  },
  {
    path: '/usage',
    title: 'Usage',
    icon: ChartColumn,
    group: 'Service',
    goKey: 'u',
    isUnderMore: true,
    words: 'requests quota limits tokens',
  },
  {
    path: '/settings',
    title: 'Settings',
    icon: Settings,
    group: 'Service',
    goKey: ',',
    words: 'preferences options',
  },
]

/** The pages that this server has. */
export function useNavigation(): readonly NavEntry[] {
  const { data: session } = useSession()
  return navigation.filter(({ needsModel }) => needsModel !== true || session?.canAsk === true)
}

/** Whether a location is an entry's page or below it. */
export const isAt = (path: string, { path: entry }: NavEntry) =>
  path === entry || (entry !== '/' && path.startsWith(`${entry}/`))

export const hasPage = (path: string) => navigation.some((entry) => entry.path === path)
