import type { ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { useOne, useOperation } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { MemoryForm } from '../../components/records/memory-form.tsx'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { useRowFocus } from '../../components/lists/use-row-keys.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { toastError } from '../../shell/toasts.tsx'
import { describeUrl, oneOf, useUrlState } from '../../shell/url-state.ts'
import { isKind, kinds, reviewKinds, type ReviewKind } from './kinds.ts'
import { ProposingAgents } from './proposing-agents.tsx'
import { decide, ReviewCard } from './review-card.tsx'
import { TrustedAgents } from './trusted-agents.tsx'
import { useAgents, useTrust, useUpdateDuplicate, useReview } from './use-review.ts'
import { isWhole, useWholeProposals } from './use-whole-proposals.ts'
import { keyOfItem, useJudged, useReviewActions, type Judged } from './use-review-actions.ts'

const url = describeUrl({ kind: oneOf(reviewKinds, 'proposal') })

export function ReviewPage() {
  const [{ kind }, setState] = useUrlState(url)
  return (
    <Page title="Review" lead={kinds[kind].lead}>
      <InVault>
        {({ id }) => <Reviewed key={kind} vaultId={id} kind={kind} onKind={(next) => setState({ kind: next })} />}
      </InVault>
    </Page>
  )
}

interface Props {
  vaultId: string
  kind: ReviewKind
  onKind: (kind: ReviewKind) => void
}

function Reviewed({ vaultId, kind, onKind }: Props) {
  const judged = useJudged()
  const { query, items, isChecking, checkMore } = useReview(vaultId, kind, judged.has)
  const { data: counted } = useOperation(
    'list-review',
    { vaultId, kind: 'unsure', limit: 1 },
    { enabled: kind === 'duplicate' },
  )
  const { hasNextPage } = query
  return (
    <>
      <KindChoice kind={kind} counts={(counted ?? query.data?.pages[0])?.counts} onKind={onKind} />
      <Loaded query={query}>
        {({ pages }) => (
          <>
            {kind === 'unsure' && <TrustedAgents vaultId={vaultId} trusted={pages[0]?.trusted ?? {}} />}
            {kind === 'proposal' && (
              <ProposingAgents vaultId={vaultId} proposed={pages[0]?.proposed ?? {}} items={items} />
            )}
            <LeftOut pages={pages} />
            {items.length > 0 ? (
              <Cards vaultId={vaultId} items={items} judged={judged} />
            ) : (
              !hasNextPage && <EmptyReview kind={kind} />
            )}
            <Group justify="space-between" mt="md">
              {kind === 'duplicate' && (
                <Text size="sm" c="dimmed" aria-live="polite">
                  {items.length === 0 && hasNextPage && !isChecking && 'No duplicates so far. '}
                  {describeProgress(pages, hasNextPage)}
                </Text>
              )}
              {hasNextPage && (
                <Button variant="default" loading={isChecking} onClick={checkMore}>
                  {kind === 'duplicate' ? 'Check more' : 'Show more'}
                </Button>
              )}
            </Group>
          </>
        )}
      </Loaded>
    </>
  )
}

function describeProgress(pages: readonly { looked: number | null; total: number }[], isMore: boolean): string {
  const looked = pages.reduce((sum, page) => sum + (page.looked ?? 0), 0)
  if (!isMore) return `Checked all ${countOf(looked, 'memory', 'memories')}.`
  const total = pages.at(-1)?.total ?? looked
  return `Checked the newest ${formatCount(looked)} of ${countOf(total, 'memory', 'memories')}.`
}

interface ChoiceProps {
  kind: ReviewKind
  counts: Readonly<Record<Exclude<ReviewKind, 'duplicate'>, number>> | undefined
  onKind: (kind: ReviewKind) => void
}

/** One row, or a list on screens where the row is too narrow for all kinds. */
function KindChoice({ kind, counts, onKind }: ChoiceProps) {
  const isNarrow = useMediaQuery('(max-width: 959px)', window.innerWidth < 960)
  const choice = {
    mb: 'md',
    'aria-label': 'What to review',
    value: kind,
    onChange: (value: string | null) => value !== null && isKind(value) && onKind(value),
    data: reviewKinds.map((value) => {
      const count = value === 'duplicate' ? undefined : counts?.[value]
      const { title } = kinds[value]
      return { value, label: count === undefined ? title : `${title} ${formatCount(count)}` }
    }),
  }
  return isNarrow ? <Select {...choice} allowDeselect={false} maw={240} /> : <SegmentedControl {...choice} />
}

interface CardsProps {
  vaultId: string
  items: readonly ReviewItem[]
  judged: Judged
}

function Cards({ vaultId, items: listed, judged }: CardsProps) {
  const { items, showWhole, isLoading } = useWholeProposals(vaultId, listed)
  const actions = useReviewActions(vaultId, judged)
  const agentOf = useAgents()
  const trust = useTrust(vaultId)
  const accept = ({ integrationId }: ReviewedMemory) => {
    const agent = agentOf(integrationId)
    if (agent !== undefined) trust(agent.id, agent.label, true)
  }
  const updateDuplicate = useUpdateDuplicate(vaultId)
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
    'Accept, restore, or choose the first',
    onItem((one) =>
      one.kind === 'proposal' && !isWhole(one) ? showWhole(one) : decide(actions, one, one.memories[0]),
    ),
  )
  useShortcut(
    '2',
    'Choose the second',
    onSide(1, (one, memory) => decide(actions, one, memory)),
  )
  useShortcut('l', 'Reject, or leave it', onItem(actions.leave))
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
  useShortcut(
    'a',
    'Always accept from this agent',
    onSide(0, (one, memory) => one.kind === 'unsure' && accept(memory)),
  )
  const close = () => {
    setEdited(undefined)
    if (editedId !== undefined && items.some(({ kind }) => kind === 'duplicate'))
      updateDuplicate(editedId).catch(toastError)
  }
  return (
    <>
      <Stack gap="md">
        {items.map((one) => (
          <ReviewCard
            key={keyOfItem(one)}
            item={one}
            actions={actions}
            agentOf={agentOf}
            onEdit={({ id }) => setEdited(id)}
            onTrust={accept}
            onFocus={() => setCurrent(keyOfItem(one))}
            onShowWhole={() => showWhole(one)}
            isLoadingWhole={isLoading}
          />
        ))}
      </Stack>
      {editedId !== undefined && <EditById vaultId={vaultId} id={editedId} onClose={close} />}
    </>
  )
}

function EditById({ vaultId, id, onClose }: { vaultId: string; id: string; onClose: () => void }) {
  const found = useOne('list-memories', { vaultId, id })
  return (
    <Loaded query={found} skeleton={null}>
      {({ memory }) => <MemoryForm isOpen onClose={onClose} vaultId={vaultId} memory={memory} />}
    </Loaded>
  )
}

function EmptyReview({ kind }: { kind: ReviewKind }) {
  return (
    <EmptyState
      icon={ClipboardCheck}
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/memories" />}>
          Show all memories
        </Button>
      }
    >
      {kinds[kind].empty}
    </EmptyState>
  )
}
