import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CheckCheck, Inbox } from 'lucide-react'
import { useEffect } from 'react'
import { usePage, type PageOf } from '../../api/queries.ts'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { NewButton } from '../../components/frame/new-button.tsx'
import { Page } from '../../components/frame/page.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { ListWithPanel } from '../../components/lists/record-panel.tsx'
import { useOpenRecord, type OpenRecord } from '../../components/lists/use-open-record.ts'
import { useRowFocus } from '../../components/lists/use-row-keys.ts'
import { formatCount, formatDay } from '../../components/text/time-text.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState, type Changes } from '../../shell/url-state.ts'
import classes from './inbox.module.css'
import { Compose } from './compose.tsx'
import { inputOf, type MessageFilter, messageUrl } from './message-filter.ts'
import { MessageFilters } from './message-filters.tsx'
import { ThreadList } from './thread-list.tsx'
import { ThreadView } from './thread-view.tsx'
import { useAcknowledge } from './use-acknowledge.ts'
import { NoMatches } from '../../components/lists/record-list.tsx'

export function MessagesPage() {
  const [filter, setFilter] = useUrlState(messageUrl)
  const record = useOpenRecord('/messages', 'threadId')
  const navigate = useNavigate()
  const input = inputOf(filter)
  const threads = usePage('list-threads', input)
  const name = threads.isPlaceholderData ? undefined : JSON.stringify(input)
  const isEmpty = useIsEmpty(filter, threads.data?.total)
  const openNew = () => setFilter({ new: true })
  useShortcut('c', 'New message', openNew)
  const list = (
    <Loaded query={threads}>
      {(page) =>
        page.total === 0 ? (
          <EmptyInbox isEmpty={isEmpty} filter={filter} setFilter={setFilter} />
        ) : (
          <Threads
            page={page}
            name={name}
            record={record}
            isReceived={filter.box === 'received'}
            onOffset={(offset) => setFilter({ offset })}
          />
        )
      }
    </Loaded>
  )
  return (
    <Page
      title="Inbox"
      lead="Messages between you and your agents, in all of your vaults. Agents see new messages when they check or start a session."
      actions={
        <NewButton isEmpty={isEmpty} onClick={openNew}>
          New message
        </NewButton>
      }
    >
      <ListWithPanel
        record={record}
        title="Thread"
        back="Inbox"
        size="wide"
        filters={isEmpty ? null : <MessageFilters filter={filter} setFilter={setFilter} />}
        list={list}
      >
        {(id) => <ThreadView threadId={id} />}
      </ListWithPanel>
      <Compose
        isOpen={filter.new}
        onClose={() => setFilter({ new: false, to: '', task: '' })}
        to={filter.to}
        taskId={filter.task}
        onSent={(sentId) => void navigate({ to: `/messages/${sentId}`, search: { box: 'sent' } })}
      />
    </Page>
  )
}

/** Whether the person can see no message at all, so that there is nothing to filter. */
function useIsEmpty(filter: MessageFilter, total: number | undefined): boolean {
  const all = usePage('list-threads', { box: 'all', limit: 1 }, { enabled: total === 0 })
  return total === 0 && !messageUrl.isFiltered(filter) && all.data?.total === 0
}

interface ThreadsProps {
  page: PageOf<'list-threads'>
  name: string | undefined
  record: OpenRecord
  /** Whether the list has only messages to the person. */
  isReceived: boolean
  onOffset: (offset: number) => void
}

function Threads({ page, name, record, isReceived, onOffset }: ThreadsProps) {
  const { rows, newCount, showNew } = useSteadyRows(page.threads, { idOf: ({ threadId }) => threadId, name })
  const waiting = rows.filter(({ pending }) => pending > 0)
  const others = rows.filter(({ pending }) => pending === 0)
  const ids = [...waiting, ...others].map(({ threadId }) => threadId)
  const { current, setCurrent } = useRowFocus(ids, { opened: record })
  const focused = rows.find(({ threadId }) => threadId === current)
  useKeepFocus(current, focused && focused.pending > 0)
  const { threads: acknowledge, isBusy } = useAcknowledge()
  // Other pages of the list have more of them.
  const isOnlyPage = page.offset === 0 && !page.hasMore
  useShortcut('a', 'Acknowledge the thread', () => {
    if (focused !== undefined) acknowledge([focused])
  })
  useShortcut('r', 'Reply', () => document.querySelector<HTMLElement>('[data-reply]')?.focus())
  return (
    <>
      {page.searchedFrom !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          Only messages since {formatDay(page.searchedFrom)} were searched.
        </Text>
      )}
      <NewRows count={newCount} onShow={showNew} />
      {waiting.length > 0 && (
        <section className={classes.group}>
          <div className={classes.groupHead}>
            <h2 className={classes.groupTitle}>
              To acknowledge{' '}
              <span>
                {isOnlyPage ? formatCount(pendingOf(waiting)) : `${formatCount(pendingOf(waiting))} on this page`}
                {waiting.length > 1 && (
                  <Text span inherit visibleFrom="sm">
                    {' · most urgent first'}
                  </Text>
                )}
              </span>
            </h2>
            <Button
              size="xs"
              variant="default"
              leftSection={<CheckCheck size={14} aria-hidden />}
              loading={isBusy}
              onClick={() => acknowledge(waiting)}
            >
              {isOnlyPage ? 'Acknowledge all' : 'Acknowledge these'}
            </Button>
          </div>
          <ThreadList label="Threads to acknowledge" threads={waiting} openId={record.id} onFocus={setCurrent} />
        </section>
      )}
      {others.length > 0 && (
        <section className={classes.group}>
          {waiting.length > 0 && (
            <div className={classes.groupHead}>
              <h2 className={classes.groupTitle}>{isReceived ? 'Acknowledged' : 'Other threads'}</h2>
            </div>
          )}
          <ThreadList label="Threads" threads={others} openId={record.id} onFocus={setCurrent} />
        </section>
      )}
      <Pager page={page} onOffset={onOffset} />
    </>
  )
}

const pendingOf = (threads: readonly { pending: number }[]) => threads.reduce((sum, { pending }) => sum + pending, 0)

/** Keeps the focus on a thread that moves to the other group, where it becomes a new element. */
function useKeepFocus(current: string | undefined, isWaiting: boolean | undefined): void {
  useEffect(() => {
    if (current === undefined || isWaiting === undefined || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus({ preventScroll: true })
  }, [current, isWaiting])
}

interface EmptyInboxProps {
  isEmpty: boolean
  filter: MessageFilter
  setFilter: (changes: Changes<MessageFilter>) => void
}

const emptyTexts = {
  received: 'No messages to you yet. Agents write to you here when they have a question, a result or a problem.',
  sent: 'You haven’t sent any messages yet.',
  agents: 'Your agents haven’t sent each other any messages yet.',
  all: 'No messages yet. Agents send messages to you and to each other as they work.',
}

function EmptyInbox({ isEmpty, filter, setFilter }: EmptyInboxProps) {
  if (messageUrl.isFiltered(filter)) return <NoMatches what="messages" onClear={() => setFilter(messageUrl.noFilter)} />
  return (
    <EmptyState icon={Inbox} {...(isEmpty && { action: <ConnectAgent /> })}>
      {emptyTexts[isEmpty ? 'all' : filter.box]}
    </EmptyState>
  )
}
