import { Button, Text, TextInput } from '@mantine/core'
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
import { EntityTable, type Counted } from './entity-table.tsx'

/** The most frequent entities of a vault. Others open by their name. */
export function EntityList({ vaultId }: { vaultId: string }) {
  const facets = useOperation('count-memories', { vaultId, state: 'live' })
  return (
    <Page title="Entities" lead="The people, things and topics that this vault’s memories are about most often.">
      <Loaded query={facets}>
        {({ entities, entityTotal }) =>
          entities.length === 0 ? (
            <EmptyState icon={Tags} action={<ConnectAgent />}>
              No entities yet. Agents name them when they write a memory, and you can add them when you edit one.
            </EmptyState>
          ) : (
            <Found entities={entities} total={entityTotal} />
          )
        }
      </Loaded>
    </Page>
  )
}

/** What count-memories returns at most. */
const mostListed = 50

function Found({ entities, total }: { entities: readonly Counted[]; total: number }) {
  const [words, setWords] = useState('')
  const name = words.trim()
  const shown = entities.filter(({ value }) => value.toLowerCase().includes(name.toLowerCase()))
  const all = countOf(total, 'entity', 'entities')
  // Also of damaged memories, whose entities can't be read.
  const isWhole = total <= mostListed
  const listed = isWhole ? all : `the ${formatCount(entities.length)} most frequent`
  const unfiltered = isWhole ? all : `The ${formatCount(entities.length)} most frequent of ${all}`
  return (
    <>
      <div className={classes.bar}>
        <TextInput
          className={classes.filter}
          aria-label="Filter entities"
          placeholder="Find an entity"
          leftSection={<Search size={15} aria-hidden />}
          data-filter
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <Text size="sm" c="dimmed" aria-live="polite" className={classes.total}>
          {name === '' ? unfiltered : `${formatCount(shown.length)} of ${listed}`}
        </Text>
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          action={
            <Button renderRoot={(props) => <Link {...props} to="/entities" hash={fragmentOf(name)} />}>
              Look up “{name}”
            </Button>
          }
        >
          Not among {isWhole ? `the ${all}` : listed}.
        </EmptyState>
      ) : (
        <EntityTable entities={shown} most={Math.max(...entities.map((each) => each.count))} />
      )}
    </>
  )
}
