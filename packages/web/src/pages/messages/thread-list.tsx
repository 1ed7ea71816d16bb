import type { Message, MessageThread } from '@holdfast/client/dashboard'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { searchOfRow } from '../../components/lists/use-open-record.ts'
import { Moment } from '../../components/text/moment.tsx'
import { plainText } from '../../components/text/read-markdown.ts'
import { normalPriority, PriorityMark } from '../../components/records/priority-mark.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { useVaults } from '../../shell/vault.ts'
import classes from './inbox.module.css'
import { MessageState, isFromYou, nameOfTarget, Sender, titleOf } from './message-looks.tsx'
import { CategoryIcon, titleOfCategory } from './message-marks.tsx'

interface Props {
  /** Names the list for screen readers. */
  label: string
  threads: readonly MessageThread[]
  openId: string | undefined
  onFocus: (id: string) => void
}

export function ThreadList({ label, threads, openId, onFocus }: Props) {
  const { vault: shown, vaults } = useVaults()
  return (
    <ul className={classes.threads} aria-label={label}>
      {threads.map((thread) => (
        <ThreadRow
          key={thread.threadId}
          thread={thread}
          isOpen={thread.threadId === openId}
          vaultName={vaults.find(({ id }) => id === thread.latest.vaultId && id !== shown?.id)?.name}
          onFocus={() => onFocus(thread.threadId)}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  thread: MessageThread
  isOpen: boolean
  /** The name of its vault, if that isn't the one in the sidebar. */
  vaultName: string | undefined
  onFocus: () => void
}

function ThreadRow({ thread, isOpen, vaultName, onFocus }: RowProps) {
  const { threadId, messages, pending, pendingPriority, first, latest } = thread
  const isWaiting = pending > 0
  return (
    <li className={classes.thread} data-waiting={isWaiting} data-open={isOpen} data-selected={isOpen}>
      <span className={classes.icon}>
        <CategoryIcon category={latest.category} label={isWaiting ? 'To acknowledge' : 'Nothing to acknowledge'} />
      </span>
      <div className={classes.main}>
        <div className={classes.first}>
          <Anchor
            renderRoot={(props) => (
              <Link {...props} to={`/messages/${threadId}`} search={searchOfRow(isOpen)} resetScroll={false} />
            )}
            c="inherit"
            className={classes.title}
            data-row={threadId}
            onFocus={onFocus}
            {...(isOpen && { 'aria-current': 'true' as const })}
          >
            {plainText(titleOf(first))}
          </Anchor>
          <span className={classes.when}>
            <Moment at={latest.createdAt} />
          </span>
        </div>
        <div className={classes.about}>
          <span className={classes.names}>
            <Sender message={latest} />
            {latest.targetId !== 'user' && ` to ${nameOfTarget(latest.targetId)}`}
          </span>
          <Exceptions latest={latest} priority={pendingPriority ?? latest.priority} />
          {messages > 1 && <span>{countOf(messages, 'message')}</span>}
          {vaultName !== undefined && <span>in {vaultName}</span>}
          <Beginning latest={latest} first={first} />
        </div>
      </div>
    </li>
  )
}

/**
 * What sets a thread apart from the usual one: information that isn't urgent. The icon of the category is in front of the row.
 * `priority`: of what waits in the thread, which can be an earlier message.
 */
function Exceptions({ latest, priority }: { latest: Message; priority: number }) {
  const { category } = latest
  return (
    <>
      {category !== 'info' && <span>{titleOfCategory(category)}</span>}
      {priority > normalPriority && <PriorityMark priority={priority} />}
      {isFromYou(latest) && latest.status === 'pending' && <MessageState message={latest} />}
    </>
  )
}

/** The beginning of the latest message, unless the title already shows it. */
function Beginning({ first, latest }: { first: Message; latest: Message }) {
  const text = plainText(latest.content.slice(0, 300))
  if (latest.messageId === first.messageId && text === titleOf(first)) return null
  return <span className={classes.beginning}>{text}</span>
}
