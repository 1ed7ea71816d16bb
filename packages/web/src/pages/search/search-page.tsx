import { Button, Collapse, Group, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search, SearchX, SlidersHorizontal, TextSearch } from 'lucide-react'
import { useRef, useState, type ReactNode, type Ref } from 'react'
import type { InputOf } from '../../api/call.ts'
import { keyOf, read } from '../../api/queries.ts'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { ExampleQueries } from '../../components/records/example-queries.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { HitList } from './hit-list.tsx'
import { inputOf, labUrl, type Answer, type LabState, type SetLab } from './lab-state.ts'
import { DroppedList } from './dropped-list.tsx'
import { QuestionFacts } from './question-facts.tsx'
import { RawTab } from './raw-tab.tsx'
import { SearchControls } from './search-controls.tsx'
import buttonClasses from '../../components/lists/short-button.module.css'
import classes from './search-page.module.css'
import { WhyNot } from './why-not.tsx'
import { holdfast } from '../../command-line.ts'

export function SearchPage() {
  const [state, setState] = useUrlState(labUrl)
  return (
    <Page
      keepsLead
      title="Search lab"
      lead="Search as an agent does, and see how results are scored and why others aren’t returned. Searching here doesn’t count as a recall."
    >
      <InVault>
        {({ id, memoryCount, noteCount }) =>
          memoryCount + noteCount === 0 ? (
            <EmptyState icon={TextSearch} action={<ConnectAgent />}>
              Nothing to search yet. Once this vault has memories or notes, this page shows how searches rank them.
            </EmptyState>
          ) : (
            <Lab vaultId={id} state={state} setState={setState} />
          )
        }
      </InVault>
    </Page>
  )
}

const queries: readonly ((name: string) => string)[] = [
  (name) => `What do we know about ${name}?`,
  (name) => `What changed about ${name}?`,
  (name) => name,
]

interface Props {
  vaultId: string
  state: LabState
  setState: SetLab
}

function Lab({ vaultId, state, setState }: Props) {
  const input = inputOf(state, vaultId)
  const found = useQuery({
    queryKey: keyOf('preview-search', input ?? {}),
    queryFn: ({ signal }) => read('preview-search', input as InputOf<'preview-search'>, signal),
    enabled: input !== undefined,
    placeholderData: keepPreviousData,
  })
  const isNarrow = useMediaQuery('(max-width: 1100px)', window.innerWidth <= 1100)
  // Before the first search, there is nothing to tune.
  const isFolded = isNarrow || input === undefined
  const [isOpen, open] = useDisclosure()
  const field = useRef<HTMLInputElement>(null)
  const tryExample = (q: string) => {
    // The example disappears with the focus on it.
    field.current?.focus()
    setState({ q })
  }
  const controls = <SearchControls state={state} setState={setState} used={found.data?.explanation} />
  return (
    <>
      <QueryBox
        field={field}
        q={state.q}
        onSearch={(q) => setState({ q })}
        isBusy={found.isFetching}
        tool={
          isFolded && (
            <Button
              className={buttonClasses.short}
              variant="default"
              leftSection={<SlidersHorizontal size={15} aria-hidden />}
              aria-expanded={isOpen}
              onClick={open.toggle}
            >
              Parameters
            </Button>
          )
        }
      />
      <div className={classes.lab} data-folded={isFolded}>
        {isFolded ? (
          <Collapse expanded={isOpen}>
            <div className={classes.controls}>{controls}</div>
          </Collapse>
        ) : (
          <section className={classes.controls} aria-label="Parameters">
            {controls}
          </section>
        )}
        <div>
          {input === undefined ? (
            <Stack gap="lg" maw={720}>
              <ExampleQueries vaultId={vaultId} patterns={queries} onChoose={tryExample} />
              <div data-keyboard>
                <CodeBlock code={holdfast('search "your query"')} label="On the command line" />
              </div>
            </Stack>
          ) : (
            <Loaded query={found}>
              {(answer) => <Result input={input} answer={answer} state={state} setState={setState} />}
            </Loaded>
          )}
        </div>
      </div>
    </>
  )
}

interface QueryProps {
  field: Ref<HTMLInputElement>
  q: string
  onSearch: (q: string) => void
  isBusy: boolean
  /** Next to the query. */
  tool: ReactNode
}

function QueryBox({ field, q, onSearch, isBusy, tool }: QueryProps) {
  const [typed, setTyped] = useState(q)
  const [seen, setSeen] = useState(q)
  // The query changed: by an example, or back in the history.
  if (q !== seen) {
    setSeen(q)
    setTyped(q)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(typed)
      }}
    >
      <Group gap="xs" mb="lg" wrap="nowrap">
        <TextInput
          ref={field}
          data-filter
          aria-label="Query"
          placeholder="Search this vault"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          leftSection={<Search size={16} aria-hidden />}
          maxLength={10_000}
          enterKeyHint="search"
          flex={1}
        />
        {tool}
        {/* On phones, the key of the keyboard does it, and the query has the room. */}
        <Button type="submit" loading={isBusy} visibleFrom="xs">
          Search
        </Button>
      </Group>
    </form>
  )
}

interface ResultProps extends Pick<Props, 'state' | 'setState'> {
  input: InputOf<'preview-search'>
  answer: Answer
}

function Result({ input, answer, state, setState }: ResultProps) {
  const { hits, explanation } = answer
  const askedIds = new Set(explanation.asked.map(({ id }) => id))
  const others = explanation.dropped.filter(({ id }) => !askedIds.has(id))
  const records = new Map(answer.records.map((record) => [record.id, record]))
  return (
    <>
      <QuestionFacts answer={answer} query={input.query} />
      <Tabs value={state.tab} onChange={(tab) => setState({ tab: tab ?? 'hits' })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="hits">Results ({hits.length})</Tabs.Tab>
          <Tabs.Tab value="lost">Not returned ({explanation.dropped.length})</Tabs.Tab>
          <Tabs.Tab value="raw">Request</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="hits">
          {hits.length > 0 ? (
            <HitList hits={hits} records={records} explanation={explanation} />
          ) : (
            <NoHit answer={answer} onThreshold={(threshold) => setState({ threshold })} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="lost">
          <WhyNot
            key={state.why}
            why={state.why}
            onCheck={(why) => setState({ why })}
            answer={answer}
            records={records}
          />
          {others.length === 0 ? (
            <Text c="dimmed">No other candidates.</Text>
          ) : (
            <DroppedList dropped={others} hits={hits} records={records} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="raw">
          <RawTab input={input} answer={answer} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const closestCount = 3

/** Shows the closest results below the threshold, and offers to lower it. */
function NoHit({ answer, onThreshold }: { answer: Answer; onThreshold: (threshold: number) => void }) {
  const closest = answer.explanation.dropped
    .filter(({ stage, similarity }) => stage === 'threshold' && similarity !== null)
    .toSorted((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0))
    .slice(0, closestCount)
  const most = Math.max(...closest.map(({ similarity }) => similarity ?? 0))
  const enough = Math.floor(most * 20) / 20
  const records = new Map(answer.records.map((record) => [record.id, record]))
  return (
    <>
      <EmptyState
        icon={SearchX}
        action={
          closest.length > 0 && (
            <Button variant="default" onClick={() => onThreshold(enough)}>
              Lower the threshold to {enough.toFixed(2)}
            </Button>
          )
        }
      >
        {closest.length > 0 ? 'No results above the threshold. These come closest.' : 'No results. Try other words.'}
      </EmptyState>
      <DroppedList dropped={closest} hits={answer.hits} records={records} />
    </>
  )
}
