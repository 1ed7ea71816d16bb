import { Drawer, Tabs, Text, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { AtSign, Brain, History, Link2, TableOfContents, Workflow, type LucideIcon } from 'lucide-react'
import { lazy, startTransition, Suspense, useEffect, useState } from 'react'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { Backlinks, LinkedMemories, Mentions } from './backlinks.tsx'
import { findHeadings, type Heading } from './list-headings.ts'
import type { NoteDraft } from './note-draft.ts'
import { noteUrl } from './note-filter.ts'
import classes from './note-view.module.css'
import type { OpenNoteProps } from './open-note.ts'
import { Pane } from './pane.tsx'
import { Versions } from './versions.tsx'

const LocalGraph = lazy(async () => ({ default: (await import('../graph/local-graph.tsx')).LocalGraph }))

interface Props extends OpenNoteProps {
  draft: NoteDraft
  content: string
  isOpen: boolean
  /** Next to the text; otherwise in a drawer. */
  isBeside: boolean
  onClosePanel: () => void
  onGoTo: (at: number) => void
}

const heading = (
  <Text size="xs" c="dimmed" fw={500}>
    Details
  </Text>
)

const tabs = [
  ['outline', 'Outline', TableOfContents],
  ['links', 'Links', Link2],
  ['mentions', 'Unlinked mentions', AtSign],
  ['memories', 'Linked memories', Brain],
  ['graph', 'Local graph', Workflow],
  ['versions', 'Versions', History],
] as const satisfies readonly (readonly [string, string, LucideIcon])[]

/** The name of the pane. */
export const detailsPane = 'note-details'

/** In narrower windows, the text needs the room more. */
const roomyPx = 1600

/** The outline, links, mentions, memories, graph and versions of the open note. */
export function NotePanel(props: Props) {
  const { isBeside, isOpen, onClosePanel } = props
  if (isBeside)
    return (
      <Pane
        name={detailsPane}
        label="Note details"
        side="end"
        presetPx={240}
        isPresetClosed={props.filter.panel === noteUrl.defaults.panel && window.innerWidth < roomyPx}
        heading={heading}
      >
        <PanelTabs {...props} />
      </Pane>
    )
  return (
    <Drawer opened={isOpen} onClose={onClosePanel} position="right" size="min(420px, 100%)" title="Note details">
      <PanelTabs {...props} />
    </Drawer>
  )
}

function PanelTabs(props: Props) {
  const { filter, setFilter } = props
  const chosen = tabs.find(([name]) => name === filter.panel) ?? tabs[0]
  return (
    <Tabs value={chosen[0]} onChange={(panel) => setFilter({ panel: panel ?? '' })} keepMounted={false}>
      <Tabs.List className={classes.tabs} grow>
        {tabs.map(([name, title, Icon]) => (
          <Tooltip key={name} label={title}>
            <Tabs.Tab value={name} aria-label={title} px={6}>
              <Icon size={16} aria-hidden />
            </Tabs.Tab>
          </Tooltip>
        ))}
      </Tabs.List>
      <Tabs.Panel value={chosen[0]}>
        <Title order={2} size="h3" mb="sm">
          {chosen[1]}
        </Title>
        <Shown name={chosen[0]} {...props} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Shown({ name, ...props }: Props & { name: (typeof tabs)[number][0] }) {
  switch (name) {
    case 'outline':
      return <Outline {...props} />
    case 'links':
      return <Backlinks {...props} />
    case 'mentions':
      return <Mentions {...props} />
    case 'memories':
      return <LinkedMemories {...props} />
    case 'graph':
      return (
        <Suspense fallback={<SkeletonList rows={4} />}>
          <LocalGraph vaultId={props.vaultId} id={props.id} />
        </Suspense>
      )
    case 'versions':
      return <Versions {...props} />
  }
}

/** Each heading is a button, and longer lists aren't useful. */
const maxHeadings = 500

function Outline({ content, onGoTo }: Pick<Props, 'content' | 'onGoTo'>) {
  const headings = useHeadings(content)
  if (headings === undefined) return <SkeletonList rows={2} />
  if (headings.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No headings yet. Lines that start with # appear here.
      </Text>
    )
  return (
    <nav aria-label="Headings">
      {headings.slice(0, maxHeadings).map(({ text, level, from }) => (
        <UnstyledButton
          key={from}
          className={classes.heading}
          style={{ paddingInlineStart: 6 + (level - 1) * 12 }}
          onClick={() => onGoTo(from)}
        >
          {text}
        </UnstyledButton>
      ))}
      {headings.length > maxHeadings && (
        <Text size="sm" c="dimmed">
          and {headings.length - maxHeadings} more
        </Text>
      )}
    </nav>
  )
}

/** Reads a long text in steps, because that takes 0.2 s for 500,000 characters. Waits for a pause in typing. */
function useHeadings(content: string): readonly Heading[] | undefined {
  const [settled] = useDebouncedValue(content, 300)
  const [found, setFound] = useState<readonly Heading[]>()
  useEffect(() => {
    const stop = new AbortController()
    void findHeadings(settled, stop.signal).then((headings) => headings && startTransition(() => setFound(headings)))
    return () => stop.abort()
  }, [settled])
  return found
}
