import type { RunTurn } from '@holdfast/client/dashboard'
import { ActionIcon, Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Bot, Trash2, UserRound } from 'lucide-react'
import { useState } from 'react'
import { useAction, useOne } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { ErrorNotice } from '../../components/feedback/loaded.tsx'
import { Markdown } from '../../components/text/markdown.tsx'
import { StepTime } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { formatCount, formatMoment } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { foldText } from './fold-text.ts'
import classes from './turn-list.module.css'
import { OnlyFor } from '../../components/frame/only-for.tsx'

interface Props {
  vaultId: string
  turn: RunTurn
  /** Who answers in this run. */
  agentId: string
}

/** One turn and the memories extracted from it. Only answers are formatted, and neither has links: anyone may have written it. */
export function TurnItem({ vaultId, turn, agentId }: Props) {
  const { turnId, role, content, isWhole, occurredAt, memories } = turn
  const [isOpen, setOpen] = useState(false)
  const whole = useOne('list-run-turns', { vaultId, id: turnId }, { enabled: isOpen && !isWhole })
  const known = whole.data?.turn.content ?? content
  const folded = foldText(known)
  const isLong = !isWhole || folded !== known
  const shown = isOpen || !isLong ? known : `${folded} …`
  const Icon = role === 'user' ? UserRound : Bot
  return (
    <li className={classes.turn} data-role={role}>
      <div className={classes.head}>
        <span className={classes.who}>
          <Icon size={15} strokeWidth={1.8} aria-hidden />
          {role === 'user' ? 'User' : agentId}
        </span>
        <span className={classes.when}>
          <StepTime at={occurredAt} />
        </span>
        <OnlyFor needs="admin">
          <EraseTurn vaultId={vaultId} turn={turn} />
        </OnlyFor>
      </div>
      <div className={classes.text} dir="auto">
        {role === 'user' ? shown : <Markdown text={shown} hasLinks={false} />}
      </div>
      {isOpen && whole.error !== null && (
        <ErrorNotice error={whole.error} retry={() => void whole.refetch()} isBusy={whole.isFetching} />
      )}
      {isLong && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.fold}
          aria-expanded={isOpen}
          loading={whole.isLoading}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
      <div className={classes.outcome}>
        <Outcome turn={turn} />
        {memories.length > 0 && <Memories memories={memories} />}
      </div>
    </li>
  )
}

function EraseTurn({ vaultId, turn: { turnId, role, occurredAt } }: Omit<Props, 'agentId'>) {
  const erase = useAction('erase-turn', {
    refreshes: ['list-run-turns'],
    onDone: () => toast('Turn deleted permanently'),
  })
  const ask = () =>
    confirmStep({
      title: 'Delete this turn permanently?',
      body: 'Only a backup can bring it back. The memories found in it stay.',
      confirmLabel: 'Delete permanently',
      onConfirm: () => erase.mutate({ vaultId, id: turnId }, { onError: (error) => toastError(error) }),
    })
  return (
    <ActionIcon
      className={classes.erase}
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={`Delete the turn of the ${role}, ${formatMoment(occurredAt)}`}
      loading={erase.isPending}
      onClick={ask}
    >
      <Trash2 size={14} aria-hidden />
    </ActionIcon>
  )
}

function Outcome({ turn: { extractionStatus, memories } }: { turn: RunTurn }) {
  // Most turns: nothing to say.
  if (extractionStatus === 'skipped' || extractionStatus === 'stored') return null
  if (extractionStatus === 'queued') return <StateBadge tone="waiting">Waiting for the language model</StateBadge>
  if (extractionStatus === 'failed') return <StateBadge tone="bad">Couldn’t be remembered</StateBadge>
  if (memories.length === 0) return <StateBadge tone="off">Memories deleted</StateBadge>
  return <StateBadge tone="good">{`Remembered ${formatCount(memories.length)}`}</StateBadge>
}

function Memories({ memories }: Pick<RunTurn, 'memories'>) {
  return (
    <ul className={classes.memories}>
      {memories.map(({ memoryId, memoryType, title, live }) => (
        <li key={memoryId}>
          <Anchor
            renderRoot={(props) => (
              <Link {...props} to={memoryType === 'task' ? `/tasks/${memoryId}` : `/memories/${memoryId}`} />
            )}
          >
            {title === '' ? 'Untitled' : title}
          </Anchor>{' '}
          {!live && <StateBadge tone="off">Inactive</StateBadge>}
        </li>
      ))}
    </ul>
  )
}
