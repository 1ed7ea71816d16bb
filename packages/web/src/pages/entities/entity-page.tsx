import { Anchor, Button, Checkbox, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SearchX, Workflow } from 'lucide-react'
import type { OutputOf } from '../../api/call.ts'
import { useFilteredOperation } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonRecord } from '../../components/feedback/skeletons.tsx'
import { Page } from '../../components/frame/page.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { EntityChip, EntityChips } from '../../components/records/entity-chip.tsx'
import { countOf, formatDay } from '../../components/text/time-text.ts'
import { describeUrl, useUrlState, type Changes } from '../../shell/url-state.ts'
import classes from './entity-page.module.css'
import { RecordItem } from './record-item.tsx'
import { Timeline } from './timeline.tsx'

const entityUrl = describeUrl({ archived: false, from: '', to: '', offset: 0 })

type State = typeof entityUrl.defaults
type Entity = OutputOf<'read-entity'>
type About = Entity['about']

const pageSize = 20
const timeIn = (text: string) => (Number.isNaN(Date.parse(text)) ? undefined : text)

/** What the vault has about one entity. */
export function EntityPage({ vaultId, name }: { vaultId: string; name: string }) {
  const [state, setState] = useUrlState(entityUrl)
  const found = useFilteredOperation('read-entity', {
    vaultId,
    name,
    state: state.archived ? 'all' : 'live',
    from: timeIn(state.from),
    to: timeIn(state.to),
    limit: pageSize,
    offset: Math.max(0, state.offset),
  })
  const about = found.data?.about
  return (
    <Page
      keepsLead
      title={about?.name ?? name}
      back={{ to: '/entities', label: 'All entities' }}
      lead={about !== undefined && isKnown(about) ? summarize(about) : undefined}
      actions={
        about !== undefined &&
        isKnown(about) && (
          <Button
            variant="default"
            leftSection={<Workflow size={15} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/graph" search={{ entity: name }} />}
          >
            Show in graph
          </Button>
        )
      }
    >
      <Loaded query={found} skeleton={<SkeletonRecord />}>
        {(entity) => <Body entity={entity} state={state} setState={setState} />}
      </Loaded>
    </Page>
  )
}

const isKnown = ({ counts: { memories, tasks, notLive }, totalNotes }: About) =>
  memories + tasks + notLive + totalNotes > 0

function summarize({ counts: { memories, tasks }, firstAt, totalNotes }: About): string {
  const stored = [memories > 0 && countOf(memories, 'memory', 'memories'), tasks > 0 && countOf(tasks, 'task')].filter(
    Boolean,
  )
  const since = firstAt === null ? '' : ` since ${formatDay(firstAt)}`
  const records = stored.length === 0 ? 'No memories or tasks' : stored.join(' and ')
  const notes =
    totalNotes === 0 ? '' : ` ${countOf(totalNotes, 'note')} ${totalNotes === 1 ? 'mentions' : 'mention'} it.`
  return `${records}${since}.${notes}`
}

interface BodyProps {
  entity: Entity
  state: State
  setState: (changes: Changes<State>) => void
}

function Body({ entity, state, setState }: BodyProps) {
  const { about } = entity
  if (!isKnown(about))
    return (
      <EmptyState
        icon={SearchX}
        action={<Button renderRoot={(props) => <Link {...props} to="/entities" />}>All entities</Button>}
      >
        Nothing in this vault is about this entity. Check the spelling.
      </EmptyState>
    )
  return (
    <div className={classes.layout}>
      <div className={classes.main}>
        <Timeline
          timeline={about.timeline}
          chosen={state.from}
          onChoose={(point) => setState({ from: point?.from ?? '', to: point?.to ?? '', offset: 0 })}
        />
        <Records entity={entity} state={state} setState={setState} />
      </div>
      <div className={classes.side}>
        <Neighbors neighbors={about.neighbors} />
        <Notes about={about} />
      </div>
    </div>
  )
}

function Records({ entity, state, setState }: BodyProps) {
  const { memories, about } = entity
  return (
    <section aria-label="Memories and tasks">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          Memories and tasks
        </Title>
        {(about.counts.notLive > 0 || state.archived) && (
          <Checkbox
            size="xs"
            label={`Include ${about.counts.notLive} archived or superseded`}
            checked={state.archived}
            onChange={({ currentTarget }) => setState({ archived: currentTarget.checked, from: '', to: '', offset: 0 })}
          />
        )}
      </Group>
      {memories.length === 0 && <Text c="dimmed">No memories or tasks here.</Text>}
      <ul className={classes.records}>
        {memories.map((memory) => (
          <RecordItem key={memory.id} memory={memory} exceptEntity={about.name} />
        ))}
      </ul>
      <Pager page={entity} onOffset={(offset) => setState({ offset })} />
    </section>
  )
}

function Neighbors({ neighbors }: { neighbors: About['neighbors'] }) {
  if (neighbors.length === 0) return null
  return (
    <section aria-label="Appears with">
      <Title order={2} size="h3" mb="xs">
        Appears with
      </Title>
      <EntityChips>
        {neighbors.map(({ name, count }) => (
          <EntityChip key={name} name={name} count={count} />
        ))}
      </EntityChips>
    </section>
  )
}

/** The text with the name of the entity in bold. */
function Marked({ text, name }: { text: string; name: string }) {
  const at = text.toLowerCase().indexOf(name.toLowerCase())
  if (at < 0) return text
  const end = at + name.length
  return (
    <>
      {text.slice(0, at)}
      <b>{text.slice(at, end)}</b>
      {text.slice(end)}
    </>
  )
}

function Notes({ about: { name, notes, totalNotes } }: { about: About }) {
  if (notes.length === 0) return null
  return (
    <section aria-label="Notes that mention it">
      <Title order={2} size="h3" mb="xs">
        Notes that mention it
      </Title>
      <ul className={classes.records}>
        {notes.map(({ noteId, title, excerpt }) => (
          <li key={noteId}>
            <Anchor
              display="block"
              fw={500}
              c="inherit"
              className={classes.text}
              renderRoot={(props) => <Link {...props} to={`/notes/${noteId}`} />}
            >
              {title}
            </Anchor>
            <Text size="sm" c="dimmed" lineClamp={2} className={classes.text}>
              <Marked text={excerpt} name={name} />
            </Text>
          </li>
        ))}
      </ul>
      {totalNotes > notes.length && (
        <Text size="sm" c="dimmed" mt="xs">
          and {countOf(totalNotes - notes.length, 'more note')}
        </Text>
      )}
    </section>
  )
}
