import type { ProposedChange, ReviewItem } from '@holdfast/client/dashboard'
import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Check, FileText, UnfoldVertical, TriangleAlert, X } from 'lucide-react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { TextChanges } from '../../components/records/text-changes.tsx'
import { Moment } from '../../components/text/moment.tsx'
import classes from './review-card.module.css'
import { keyOfItem, type ReviewActions } from './use-review-actions.ts'
import { isWhole } from './use-whole-proposals.ts'

interface Props {
  item: ReviewItem
  proposal: ProposedChange
  actions: ReviewActions
  /** Returns an integration's label. */
  labelOf: (integrationId: string) => string | undefined
  onFocus: () => void
  onShowWhole: () => void
  isLoadingWhole: boolean
}

/** A change that an agent asks for. Nothing has happened yet. */
export function ProposalCard(props: Props) {
  const { item, proposal, actions, labelOf, onFocus } = props
  const { title, by, reason, problem, isOutdated } = proposal
  // Shown as the reason.
  const changes = item.changes.filter(({ field }) => field !== 'writeReason')
  const [memory] = item.memories
  return (
    <article className={classes.card} aria-label={title}>
      <div className={classes.side}>
        <span className={classes.facts}>
          {memory === undefined ? <NoteMark /> : <MemoryTypeMark type={memory.memoryType} />}
          <span>
            {describeAgent(by, labelOf)} asks, <Moment at={by.at} />
          </span>
        </span>
        <p className={classes.text}>
          <Anchor
            c="inherit"
            underline="hover"
            data-row={keyOfItem(item)}
            onFocus={onFocus}
            renderRoot={(link) => <Link {...link} to={pathOf(proposal, memory?.memoryType)} />}
          >
            {title === '' ? 'A record that is gone' : title}
          </Anchor>
        </p>
        {reason !== null && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Reason: {reason}
          </Text>
        )}
        <Text size="sm">{describeEffect(proposal)}</Text>
        {problem !== null && <Notice>This can no longer be accepted. {problem}</Notice>}
        {problem === null && isOutdated && (
          <Notice>The text has changed since. Below is what accepting would change now.</Notice>
        )}
        {changes.length > 0 && (
          <div className={classes.changes}>
            <TextChanges changes={changes} />
          </div>
        )}
        {!isWhole(item) && <Notice>This is only a part. The texts go on, and more can change there.</Notice>}
        <Group gap="xs">
          {problem === null && <AcceptButton {...props} />}
          <Button
            variant="default"
            size="xs"
            leftSection={<X size={14} aria-hidden />}
            loading={actions.isBusy}
            aria-keyshortcuts="l"
            onClick={() => actions.leave(item)}
          >
            Reject
          </Button>
        </Group>
      </div>
    </article>
  )
}

/** Accepts what is shown, or first shows it all. */
function AcceptButton({ item, actions, onShowWhole, isLoadingWhole }: Props) {
  if (!isWhole(item))
    return (
      <Button
        size="xs"
        leftSection={<UnfoldVertical size={14} aria-hidden />}
        loading={isLoadingWhole}
        aria-keyshortcuts="1"
        onClick={onShowWhole}
      >
        Show the whole change
      </Button>
    )
  return (
    <Button
      size="xs"
      leftSection={<Check size={14} aria-hidden />}
      loading={actions.isBusy}
      aria-keyshortcuts="1"
      onClick={() => actions.accept(item)}
    >
      Accept
    </Button>
  )
}

/** An agent chooses its name; the label is that of the key that it used. */
function describeAgent({ agentId, integrationId }: ProposedChange['by'], labelOf: Props['labelOf']): string {
  const label = integrationId === null ? undefined : labelOf(integrationId)
  const name = nameOfAgent(agentId)
  return label === undefined || label === agentId ? name : `${name} (key: ${label})`
}

export const NoteMark = () => (
  <Group gap={6} component="span" wrap="nowrap">
    <FileText size={14} aria-hidden />
    Note
  </Group>
)

function Notice({ children }: { children: React.ReactNode }) {
  return (
    <Alert color="yellow" variant="light" p="xs" icon={<TriangleAlert size={16} aria-hidden />}>
      {children}
    </Alert>
  )
}

export function pathOf(
  { recordType, recordId }: Pick<ProposedChange, 'recordType' | 'recordId'>,
  memoryType: string | undefined,
): string {
  if (recordType === 'note') return `/notes/${recordId}`
  return memoryType === 'task' ? `/tasks/${recordId}` : `/memories/${recordId}`
}

function describeEffect({ effect, recordType }: ProposedChange): string {
  if (effect === 'archive') return 'Accepting archives it: searches stop finding it.'
  if (effect === 'trash') return 'Accepting moves it to the trash.'
  if (effect === 'supersede') return 'Accepting stores a new memory that replaces this one:'
  return `Accepting changes this ${recordType === 'note' ? 'note' : 'text'}:`
}
