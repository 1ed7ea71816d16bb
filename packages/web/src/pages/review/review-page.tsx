import type { ReviewItem } from '@holdfast/client/dashboard'
import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { ClipboardCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonCards } from '../../components/feedback/skeletons.tsx'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { describeUrl, oneOf, useUrlState } from '../../shell/url-state.ts'
import { isKind, kinds, reviewKinds, type ReviewKind } from './kinds.ts'
import { ProposingAgents } from './proposing-agents.tsx'
import classes from './review-card.module.css'
import { ReviewCards } from './review-cards.tsx'
import { TrustedAgents } from './trusted-agents.tsx'
import { keyOfItem, useJudged, type Judged } from './use-judged.ts'
import { useReviewActions } from './use-review-actions.ts'
import { useReview } from './use-review.ts'
import { ViewerNote } from '../../components/frame/only-for.tsx'
import { useMay } from '../../shell/role.ts'
import { useVaults } from '../../shell/vault.ts'

const url = describeUrl({ kind: oneOf(reviewKinds, '') })

export function ReviewPage() {
  const [{ kind: asked }, setState] = useUrlState(url)
  const kind = useOpenKind(asked)
  return (
    <Page keepsLead title="Review" lead={kinds[kind ?? 'proposal'].lead}>
      <ViewerNote />
      <InVault>
        {({ id, memoryCount, noteCount }) =>
          kind === undefined ? (
            <SkeletonCards />
          ) : (
            <Reviewed
              key={kind}
              vaultId={id}
              isVaultEmpty={memoryCount + noteCount === 0}
              kind={kind}
              onKind={(next) => setState({ kind: next })}
            />
          )
        }
      </InVault>
    </Page>
  )
}

/** The kind in the URL, or else the first one that had items when the page was opened. Undefined until that is known. */
function useOpenKind(asked: ReviewKind | ''): ReviewKind | undefined {
  const { vault } = useVaults()
  const [first, setFirst] = useState<{ vaultId: string; kind: ReviewKind }>()
  const vaultId = vault?.id ?? ''
  const isKnown = first?.vaultId === vaultId
  const isNeeded = asked === '' && vaultId !== '' && !isKnown
  const { data, error } = useOperation('list-review', { vaultId, kind: 'unsure', limit: 1 }, { enabled: isNeeded })
  if (isNeeded && (data !== undefined || error !== null))
    setFirst({ vaultId, kind: reviewKinds.find((kind) => countOfKind(kind, data?.counts) > 0) ?? 'proposal' })
  if (asked !== '') return asked
  return isKnown ? first.kind : undefined
}

interface Props {
  vaultId: string
  /** There is nothing to review then, and nothing to choose from. */
  isVaultEmpty: boolean
  kind: ReviewKind
  onKind: (kind: ReviewKind) => void
}

function Reviewed({ vaultId, isVaultEmpty, kind, onKind }: Props) {
  const judged = useJudged()
  const skipped = useJudged()
  const { query, items, isChecking, checkMore } = useReview(
    vaultId,
    kind,
    (item) => judged.has(item) || skipped.has(item),
  )
  // Here rather than next to the items: after the last one is decided, that can still be undone.
  const actions = useReviewActions(vaultId, judged)
  const [mayEdit, isOwn] = [useMay('editor'), useMay('owner')]
  useShortcut(mayEdit ? 'u' : undefined, 'Undo', actions.undoLast)
  const skip = (some: readonly ReviewItem[]) => actions.hide(some.map(keyOfItem), skipped)
  const { data: counted } = useOperation(
    'list-review',
    { vaultId, kind: 'unsure', limit: 1 },
    { enabled: kind === 'duplicate' },
  )
  const { hasNextPage } = query
  const counts = (counted ?? query.data?.pages[0])?.counts
  const next = findNext(kind, counts)
  useShortcut('n', 'Next kind with items', () => next !== undefined && onKind(next.kind))
  return (
    <>
      {!(isVaultEmpty && items.length === 0 && next === undefined) && (
        <KindChoice
          kind={kind}
          counts={counts}
          duplicates={
            kind === 'duplicate' && query.data !== undefined
              ? `${formatCount(items.length)}${hasNextPage ? '+' : ''}`
              : undefined
          }
          onKind={onKind}
        />
      )}
      <Loaded query={query} skeleton={<SkeletonCards />}>
        {({ pages }) => (
          <>
            {kind === 'unsure' && isOwn && <TrustedAgents vaultId={vaultId} trusted={pages[0]?.trusted ?? {}} />}
            {kind === 'proposal' && mayEdit && (
              <ProposingAgents vaultId={vaultId} proposed={pages[0]?.proposed ?? {}} items={items} />
            )}
            <LeftOut pages={pages} />
            {items.length > 0 ? (
              <ReviewCards key={kind} vaultId={vaultId} items={items} actions={actions} skip={skip} />
            ) : (
              !hasNextPage && (
                <EmptyReview isVaultEmpty={isVaultEmpty} kind={kind} skipped={skipped} next={next} onKind={onKind} />
              )
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
  if (looked === 0) return ''
  if (!isMore) return `Checked all ${countOf(looked, 'memory', 'memories')}.`
  const total = pages.at(-1)?.total ?? looked
  return `Checked the newest ${formatCount(looked)} of ${countOf(total, 'memory', 'memories')}.`
}

type Counts = Readonly<Record<Exclude<ReviewKind, 'duplicate'>, number>> | undefined

/** A kind that has items, from the one after `kind` on. Duplicates aren't counted. */
interface NextKind {
  kind: ReviewKind
  count: number
}

function findNext(kind: ReviewKind, counts: Counts): NextKind | undefined {
  const at = reviewKinds.indexOf(kind)
  return [...reviewKinds.slice(at + 1), ...reviewKinds.slice(0, at)]
    .map((each) => ({ kind: each, count: countOfKind(each, counts) }))
    .find(({ count }) => count > 0)
}

const countOfKind = (kind: ReviewKind, counts: Counts): number => (kind === 'duplicate' ? 0 : (counts?.[kind] ?? 0))

interface ChoiceProps {
  kind: ReviewKind
  counts: Counts
  /** The number of known duplicates, such as "3+"; undefined before the first search for them. */
  duplicates: string | undefined
  onKind: (kind: ReviewKind) => void
}

/** One row, which scrolls sideways where it is too narrow for all kinds. */
function KindChoice({ kind, counts, duplicates, onKind }: ChoiceProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    row.current
      ?.querySelector(`[value="${kind}"]`)
      ?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [kind])
  return (
    <SegmentedControl
      ref={row}
      mb="md"
      classNames={{ root: classes.kinds, control: classes.kind }}
      aria-label="What to review"
      value={kind}
      onChange={(value) => isKind(value) && onKind(value)}
      data={reviewKinds.map((value) => {
        const count = value === 'duplicate' ? duplicates : counts && formatCount(counts[value])
        const { title } = kinds[value]
        return {
          value,
          label: (
            <span>
              {title}
              {count !== undefined && <span className={classes.count}> {count}</span>}
            </span>
          ),
        }
      })}
    />
  )
}

interface EmptyProps {
  isVaultEmpty: boolean
  kind: ReviewKind
  skipped: Judged
  next: NextKind | undefined
  onKind: (kind: ReviewKind) => void
}

function EmptyReview({ isVaultEmpty, kind, skipped, next, onKind }: EmptyProps) {
  if (skipped.count > 0)
    return (
      <EmptyState
        icon={ClipboardCheck}
        action={
          <Button variant="default" onClick={skipped.clear}>
            {`Show ${countOf(skipped.count, 'skipped item')}`}
          </Button>
        }
      >
        You’ve been through all items. Those that you skipped still wait for a decision.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={ClipboardCheck}
      action={
        next === undefined ? (
          isVaultEmpty && <ConnectAgent />
        ) : (
          <Button aria-keyshortcuts="n" onClick={() => onKind(next.kind)}>
            {`Review ${countOf(next.count, ...kinds[next.kind].nouns)}`}
          </Button>
        )
      }
    >
      {kinds[kind].empty}
    </EmptyState>
  )
}
