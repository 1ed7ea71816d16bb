import { Button } from '@mantine/core'
import { History, SearchX } from 'lucide-react'
import { usePage, type PageOf } from '../../api/queries.ts'
import { useNow } from '../../components/text/moment.tsx'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { Page } from '../../components/frame/page.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useRowFocus } from '../../components/lists/use-row-keys.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { inputOf, activityUrl } from './activity-filter.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityTable } from './activity-table.tsx'
import { mergeAlike } from './merge-alike.ts'
import { CsvButton } from './csv-button.tsx'
import { holdfast } from '../../command-line.ts'

export function ActivityPage() {
  const [filter, setFilter] = useUrlState(activityUrl)
  const input = inputOf(filter, dayBegan(useNow()))
  const activity = usePage('list-activity', input)
  const name = activity.isPlaceholderData ? undefined : JSON.stringify(input)
  return (
    <Page
      title="Activity"
      lead="Who did what to which record in the last 90 days. Your page views aren’t recorded."
      actions={activity.data !== undefined && activity.data.total > 0 && <CsvButton input={input} />}
    >
      <ActivityFilters filter={filter} setFilter={(changes) => setFilter({ offset: 0, ...changes })} />
      <Loaded query={activity}>
        {(page) =>
          page.total === 0 ? (
            <EmptyActivity
              isNarrowed={activityUrl.isFiltered(filter)}
              onClear={() => setFilter(activityUrl.noFilter)}
            />
          ) : (
            <Entries
              page={page}
              name={name}
              onRecord={(record) => setFilter({ record, offset: 0 })}
              onOffset={(offset) => setFilter({ offset })}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

interface Props {
  page: PageOf<'list-activity'>
  name: string | undefined
  onRecord: (recordId: string) => void
  onOffset: (offset: number) => void
}

function Entries({ page, name, onRecord, onOffset }: Props) {
  const { rows: entries, newCount, showNew } = useSteadyRows(page.activity, { idOf: ({ id }) => id, name })
  const rows = mergeAlike(entries)
  useRowFocus(rows.map(({ id }) => id))
  return (
    <>
      <NewRows count={newCount} onShow={showNew} />
      <ActivityTable entries={rows} onRecord={onRecord} />
      <Pager page={page} onOffset={onOffset} />
    </>
  )
}

function EmptyActivity({ isNarrowed: isFiltered, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState
      icon={SearchX}
      action={
        <Button variant="default" onClick={onClear}>
          Clear the filter
        </Button>
      }
    >
      No activity in the last 90 days matches this filter.
    </EmptyState>
  ) : (
    <EmptyState icon={History} action={<ConnectAgent />} command={holdfast("remember 'I prefer tabs to spaces.'")}>
      No activity yet. Connect an agent to see what it does here.
    </EmptyState>
  )
}

function dayBegan(nowMs: number): number {
  return new Date(nowMs).setHours(0, 0, 0, 0)
}
