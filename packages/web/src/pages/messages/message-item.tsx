import { findKeyLabel } from '@holdfast/client'
import type { Message } from '@holdfast/client/dashboard'
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { Check, Copy, Ellipsis, MessageSquareText, Trash2 } from 'lucide-react'
import { useAction } from '../../api/queries.ts'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { Markdown } from '../../components/text/markdown.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { normalPriority, PriorityMark } from '../../components/records/priority-mark.tsx'
import { copyText } from '../../components/text/copy-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import classes from './inbox.module.css'
import { isWaiting, KeyMark, nameOfTarget, MessageState, Sender } from './message-looks.tsx'
import { CategoryMark } from './message-marks.tsx'
import { messageReads } from './use-acknowledge.ts'

interface Props {
  message: Message
  /** Whether the thread's heading already shows this subject. */
  isSubjectKnown: boolean
  isBusy: boolean
  onAcknowledge: () => void
  onNote: () => void
}

export function MessageItem({ message, isSubjectKnown, isBusy, onAcknowledge, onNote }: Props) {
  const { subject, content, category, priority, createdAt, expiresAt } = message
  return (
    <li className={classes.message} data-waiting={isWaiting(message)}>
      <div className={classes.head}>
        <span>
          <b>
            <Sender message={message} />
          </b>{' '}
          to {nameOfTarget(message.targetId)}{' '}
          <Text span inherit c="dimmed">
            <Moment at={createdAt} />
          </Text>
        </span>
        <MessageMenu message={message} onNote={onNote} />
      </div>
      {subject !== null && subject !== '' && !isSubjectKnown && <p className={classes.subject}>{subject}</p>}
      <Markdown text={content} />
      <div className={classes.facts}>
        <CategoryMark category={category} />
        {priority !== normalPriority && <PriorityMark priority={priority} />}
        {/* The button below says the same. */}
        {!isWaiting(message) && <MessageState message={message} />}
        <span>
          Expires <Moment at={expiresAt} />
        </span>
      </div>
      <Acknowledged message={message} />
      {isWaiting(message) && (
        <Button
          size="xs"
          mt="sm"
          leftSection={<Check size={14} aria-hidden />}
          loading={isBusy}
          onClick={onAcknowledge}
        >
          Acknowledge
        </Button>
      )}
    </li>
  )
}

function Acknowledged({ message }: { message: Message }) {
  const { acknowledgedAt, acknowledgedBy, acknowledgedWith, ackNote, trust } = message
  if (acknowledgedAt === null) return null
  if (trust === 'imported')
    return (
      <p className={classes.ack}>
        Acknowledged before it was imported, <Moment at={acknowledgedAt} />
      </p>
    )
  return (
    <p className={classes.ack}>
      {nameOfAgent(acknowledgedBy)}
      <KeyMark keyLabel={findKeyLabel(acknowledgedBy ?? '', acknowledgedWith)} /> acknowledged this{' '}
      <Moment at={acknowledgedAt} />
      {ackNote !== null && ackNote !== '' && <>: “{ackNote}”</>}
    </p>
  )
}

function MessageMenu({ message, onNote }: { message: Message; onNote: () => void }) {
  const { messageId, content } = message
  const erase = useAction('erase-message', { refreshes: messageReads, onDone: () => toast('Message deleted') })
  const ask = () =>
    confirmStep({
      title: 'Delete this message permanently?',
      body: 'Its recipients can no longer read it. This can’t be undone. Replies are kept.',
      confirmLabel: 'Delete permanently',
      onConfirm: () => erase.mutate({ id: messageId }, { onError: (error) => toastError(error) }),
    })
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={26} aria-label="Message actions">
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isWaiting(message) && (
          <Menu.Item leftSection={<MessageSquareText size={15} aria-hidden />} onClick={onNote}>
            Acknowledge with a note
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={() => void copyText(content)}>
          Copy text
        </Menu.Item>
        <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={() => void copyText(messageId)}>
          Copy id
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Trash2 size={15} aria-hidden />} c="var(--hf-danger)" onClick={ask}>
          Delete permanently
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
