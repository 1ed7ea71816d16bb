import type { Folder } from '@holdfast/client/dashboard'
import {
  ChevronDown,
  ChevronRight,
  FileText,
  Files,
  Folder as FolderIcon,
  History,
  Star,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { formatCount } from '../../components/text/time-text.ts'
import { listRows, type FolderRow } from './folder-rows.ts'
import classes from './folder-tree.module.css'
import { isInTrash, isStarred, starTag, type NoteFilter, type SetFilter } from './note-filter.ts'
import type { Changes } from '../../shell/url-state.ts'
import { useMay } from '../../shell/role.ts'

interface Props {
  folders: readonly Folder[]
  /** The live notes of the vault; undefined while it loads. */
  noteCount: number | undefined
  filter: NoteFilter
  setFilter: SetFilter
  onMove: (folder: Folder) => void
}

interface Line {
  id: string
  /** Undefined for fixed lines such as the trash. */
  folder?: Folder
  label: string
  icon: LucideIcon
  level: number
  count?: number | undefined
  /** Undefined for lines without subfolders. */
  isOpen?: boolean | undefined
  choose: Changes<NoteFilter>
}

/** The folder tree. Arrow up and down move, left and right close and open, Enter selects, m moves the folder. */
export function FolderTree({ folders, noteCount, filter, setFilter, onMove }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const lines = linesOf(listRows(folders, closed), noteCount)
  const chosen = chosenLine(filter)
  const [focused, setFocused] = useState(chosen)
  const mayEdit = useMay('editor')
  const tree = useRef<HTMLDivElement>(null)
  // The tree is one tab stop: the line focused last, otherwise the selected one, otherwise the first.
  const reached = [focused, chosen, ''].find((id) => lines.some((line) => line.id === id))
  const choose = ({ choose: changes }: Line) => setFilter({ q: '', tag: '', offset: 0, ...changes })
  const toggle = (id: string, isOpen: boolean) => {
    const next = new Set(closed)
    if (isOpen) next.delete(id)
    else next.add(id)
    setClosed(next)
  }
  const focusAt = (at: number) => {
    const line = lines[Math.min(lines.length - 1, Math.max(0, at))]
    if (line === undefined) return
    setFocused(line.id)
    tree.current?.querySelector<HTMLElement>(`[data-line="${line.id}"]`)?.focus()
  }
  const moving = (folder: Folder) => () => onMove(folder)
  const onKeyDown = (event: KeyboardEvent, line: Line, at: number) => {
    const act = {
      ArrowDown: () => focusAt(at + 1),
      ArrowUp: () => focusAt(at - 1),
      Home: () => focusAt(0),
      End: () => focusAt(lines.length - 1),
      Enter: () => choose(line),
      ' ': () => choose(line),
      m: line.folder === undefined || !mayEdit ? undefined : moving(line.folder),
      ArrowRight: () => (line.isOpen === false ? toggle(line.id, true) : focusAt(at + 1)),
      ArrowLeft: () =>
        line.isOpen === true
          ? toggle(line.id, false)
          : focusAt(lines.findLastIndex((other, place) => place < at && other.level < line.level)),
    }[event.key]
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  }
  return (
    <div role="tree" aria-label="Folders" className={classes.tree} ref={tree}>
      {lines.map((line, at) => (
        <div
          key={line.id}
          role="treeitem"
          aria-level={line.level}
          aria-selected={line.id === chosen}
          {...(line.isOpen !== undefined && { 'aria-expanded': line.isOpen })}
          tabIndex={line.id === reached ? 0 : -1}
          data-line={line.id}
          className={classes.line}
          style={{ paddingInlineStart: 4 + (line.level - 1) * 14 }}
          onClick={() => choose(line)}
          onFocus={() => setFocused(line.id)}
          onKeyDown={(event) => onKeyDown(event, line, at)}
        >
          <Opener line={line} onToggle={toggle} />
          <line.icon size={15} strokeWidth={1.8} aria-hidden />
          <span className={classes.name}>{line.label}</span>
          {line.count !== undefined && line.count > 0 && (
            <span className={classes.count}>{formatCount(line.count)}</span>
          )}
        </div>
      ))}
    </div>
  )
}

/** For the mouse. Keyboard users have the arrow keys. */
function Opener({ line, onToggle }: { line: Line; onToggle: (id: string, isOpen: boolean) => void }) {
  if (line.isOpen === undefined) return <span className={classes.opener} />
  const Icon = line.isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      className={classes.opener}
      onClick={(event) => {
        event.stopPropagation()
        onToggle(line.id, line.isOpen !== true)
      }}
    >
      <Icon size={14} aria-hidden />
    </button>
  )
}

const trash = 'trash'
const recent = 'recent'

function chosenLine(filter: NoteFilter): string {
  if (isInTrash(filter)) return trash
  if (filter.state === recent) return recent
  return isStarred(filter) ? starTag : filter.folder
}

const linesOf = (rows: readonly FolderRow[], total: number | undefined): Line[] => [
  { id: '', label: 'All notes', icon: Files, level: 1, count: total, choose: { folder: '', state: 'live' } },
  { id: starTag, label: 'Starred', icon: Star, level: 1, choose: { folder: '', tag: starTag, state: 'live' } },
  { id: recent, label: 'Recent', icon: History, level: 1, choose: { folder: '', state: recent } },
  ...rows.map(({ folder, folder: { id, name }, level, hasFolders, isOpen, noteCount }): Line => ({
    id,
    folder,
    label: name,
    icon: FolderIcon,
    level,
    count: noteCount,
    isOpen: hasFolders ? isOpen : undefined,
    choose: { folder: id, state: 'live' },
  })),
  ...(rows.length === 0
    ? []
    : [{ id: 'root', label: 'Unfiled', icon: FileText, level: 1, choose: { folder: 'root', state: 'live' } }]),
  { id: trash, label: 'Trash', icon: Trash2, level: 1, choose: { folder: '', state: 'trashed' } },
]
