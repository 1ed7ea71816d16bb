import type { ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ClipboardCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { keyOf, useOne } from '../../api/queries.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { InVault } from '../../components/in-vault.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MemoryForm } from '../../components/memory-form.tsx'
import { Page } from '../../components/page.tsx'
import { countOf, formatCount } from '../../components/time-text.ts'
import { useRowFocus } from '../../components/use-row-keys.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { isKind, kinds, reviewKinds, type ReviewKind } from './kinds.ts'
import { decide, keyOfItem, ReviewCard } from './review-card.tsx'
import { useReviewActions } from './use-review-actions.ts'

const shown = { kind: 'contradiction' } as const

export function ReviewPage() {
  const [state, setState] = useUrlState(shown)
  const kind = isKind(state.kind) ? state.kind : shown.kind
  return (
    <Page title="Review" lead={kinds[kind].lead}>
      <InVault>
        {({ id }) => <Reviewed key={kind} vaultId={id} kind={kind} onKind={(next) => setState({ kind: next })} />}
      </InVault>
    </Page>
  )
}

const pageSize = 20

interface Props {
  vaultId: string
  kind: ReviewKind
  onKind: (kind: ReviewKind) => void
}

/** It grows where the server says that it goes on. */
function useReview(vaultId: string, kind: ReviewKind) {
  const input = { vaultId, kind, limit: pageSize }
  return useInfiniteQuery({
    queryKey: [...keyOf('browse-review', input), 'pages'],
    queryFn: ({ signal, pageParam: offset }) => call('browse-review', { ...input, offset }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore, next }) => (hasMore ? next : undefined),
  })
}

function Reviewed({ vaultId, kind, onKind }: Props) {
  const review = useReview(vaultId, kind)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = review
  const found = review.data?.pages.flatMap(({ items }) => items) ?? []
  // Each call looks for a while; where it has found nothing yet, the next one goes on.
  const isLooking = hasNextPage && found.length === 0
  useEffect(() => {
    if (isLooking && !isFetchingNextPage) void fetchNextPage()
  }, [isLooking, isFetchingNextPage, fetchNextPage])
  return (
    <>
      <KindChoice kind={kind} counts={review.data?.pages[0]?.counts} onKind={onKind} />
      <Loaded query={review}>
        {({ pages }) => (
          <>
            {found.length > 0 ? <Cards vaultId={vaultId} items={found} /> : !isLooking && <Nothing kind={kind} />}
            <Group justify="space-between" mt="md">
              {kind === 'duplicate' && (
                <Text size="sm" c="dimmed" aria-live="polite">
                  Looked through the newest {countOf(pages.at(-1)?.next ?? 0, 'memory', 'memories')}
                  {!hasNextPage && ', which are all'}.
                </Text>
              )}
              {hasNextPage && (
                <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {kind === 'duplicate' ? 'Look further' : 'Show more'}
                </Button>
              )}
            </Group>
          </>
        )}
      </Loaded>
    </>
  )
}

interface ChoiceProps {
  kind: ReviewKind
  counts: { contradiction: number; unsure: number } | undefined
  onKind: (kind: ReviewKind) => void
}

function KindChoice({ kind, counts, onKind }: ChoiceProps) {
  const countFor = (one: ReviewKind) => (one === 'duplicate' ? undefined : counts?.[one])
  return (
    <SegmentedControl
      mb="md"
      value={kind}
      onChange={(value) => isKind(value) && onKind(value)}
      aria-label="What to review"
      data={reviewKinds.map((value) => {
        const count = countFor(value)
        return {
          value,
          label: count === undefined ? kinds[value].title : `${kinds[value].title} ${formatCount(count)}`,
        }
      })}
    />
  )
}

function Cards({ vaultId, items }: { vaultId: string; items: readonly ReviewItem[] }) {
  const actions = useReviewActions(vaultId)
  const [editedId, setEdited] = useState<string>()
  const keys = items.map(keyOfItem)
  const { current, setCurrent } = useRowFocus(keys)
  const item = items.find((one) => keyOfItem(one) === current)
  const onItem = (act: (one: ReviewItem) => void) => () => item !== undefined && act(item)
  const onSide = (at: number, act: (one: ReviewItem, memory: ReviewedMemory) => void) =>
    onItem((one) => {
      const memory = one.memories[at]
      if (memory !== undefined) act(one, memory)
    })
  useShortcut(
    '1',
    'The first is right',
    onSide(0, (one, memory) => decide(actions, one, memory)),
  )
  useShortcut(
    '2',
    'The second is right',
    onSide(1, (one, memory) => decide(actions, one, memory)),
  )
  useShortcut('l', 'Leave as it is', onItem(actions.leave))
  useShortcut(
    'e',
    'Edit the first',
    onSide(0, (_, { id }) => setEdited(id)),
  )
  useShortcut(
    '#',
    'Archive the first',
    onSide(0, (_, memory) => actions.archive(memory)),
  )
  useFocusAfter(keys, current, setCurrent)
  return (
    <>
      <Stack gap="md">
        {items.map((one) => (
          <ReviewCard
            key={keyOfItem(one)}
            item={one}
            actions={actions}
            onEdit={({ id }) => setEdited(id)}
            onFocus={() => setCurrent(keyOfItem(one))}
          />
        ))}
      </Stack>
      {editedId !== undefined && <EditById vaultId={vaultId} id={editedId} onClose={() => setEdited(undefined)} />}
    </>
  )
}

/** Where the card that had the focus was decided, the one in its place gets it. */
function useFocusAfter(keys: readonly string[], current: string | undefined, setCurrent: (key: string) => void): void {
  const place = useRef(-1)
  const at = current === undefined ? -1 : keys.indexOf(current)
  useEffect(() => {
    if (at >= 0) {
      place.current = at
      return
    }
    const next = keys[Math.min(place.current, keys.length - 1)]
    if (place.current < 0 || next === undefined) return
    setCurrent(next)
    document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
  }, [at, keys, setCurrent])
}

function EditById({ vaultId, id, onClose }: { vaultId: string; id: string; onClose: () => void }) {
  const found = useOne('browse-memories', { vaultId, id })
  return (
    <Loaded query={found} skeleton={null}>
      {({ memory }) => <MemoryForm isOpen onClose={onClose} vaultId={vaultId} memory={memory} />}
    </Loaded>
  )
}

function Nothing({ kind }: { kind: ReviewKind }) {
  return (
    <EmptyState
      icon={ClipboardCheck}
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/memories" />}>
          Look at all memories
        </Button>
      }
    >
      {kinds[kind].nothing} Nothing waits here.
    </EmptyState>
  )
}
