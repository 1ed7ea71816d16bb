import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Search, SearchX, Tags } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Page } from '../../components/frame/page.tsx'
import { fragmentOf } from '../../components/records/entity-address.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import classes from './entity-list.module.css'

/** The most frequent entities of a vault. Others open by their name. */
export function EntityList({ vaultId }: { vaultId: string }) {
  const facets = useOperation('count-memories', { vaultId, state: 'live' })
  return (
    <Page title="Entities" lead="The people, projects and things that most memories in this vault are about.">
      <Loaded query={facets}>
        {({ entities }) =>
          entities.length === 0 ? (
            <EmptyState icon={Tags} action={<ConnectAgent />}>
              No entities yet. Agents name them when they write a memory, and you can add them when you edit one.
            </EmptyState>
          ) : (
            <Found entities={entities} />
          )
        }
      </Loaded>
    </Page>
  )
}

interface Counted {
  value: string
  count: number
}

function Found({ entities }: { entities: readonly Counted[] }) {
  const [words, setWords] = useState('')
  const name = words.trim()
  const shown = entities.filter(({ value }) => value.toLowerCase().includes(name.toLowerCase()))
  const most = Math.max(...entities.map(({ count }) => count))
  return (
    <>
      <TextInput
        className={classes.filter}
        aria-label="Filter entities"
        placeholder="Filter, or enter any name"
        leftSection={<Search size={15} aria-hidden />}
        data-filter
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
      />
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          action={
            <Button renderRoot={(props) => <Link {...props} to="/entities" hash={fragmentOf(name)} />}>
              Look up “{name}”
            </Button>
          }
        >
          Not among the {countOf(entities.length, 'most frequent entity', 'most frequent entities')}.
        </EmptyState>
      ) : (
        <ul className={classes.entities} aria-label="Entities">
          {shown.map((entity) => (
            <EntityRow key={entity.value} entity={entity} most={most} />
          ))}
        </ul>
      )}
    </>
  )
}

function EntityRow({ entity: { value, count }, most }: { entity: Counted; most: number }) {
  return (
    <li>
      <Link to="/entities" hash={fragmentOf(value)} className={classes.entity}>
        <bdi className={classes.name}>{value}</bdi>
        <span className={classes.count} title={countOf(count, 'memory', 'memories')}>
          {formatCount(count)}
        </span>
        <span className={classes.track} aria-hidden>
          <span style={{ width: `${(count / most) * 100}%` }} />
        </span>
      </Link>
    </li>
  )
}
