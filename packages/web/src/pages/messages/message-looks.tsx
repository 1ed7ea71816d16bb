import { withoutHidden } from '@holdfast/transfer/text/hidden-characters'
import { findKeyLabel } from '@holdfast/client'
import type { Message } from '@holdfast/client/dashboard'
import { plainText } from '../../components/text/read-markdown.ts'
import { StateBadge } from '../../components/feedback/state-badge.tsx'

/** Names and states of messages in the dashboard. */

export const everyone = '*'

/** Follows the word "to". */
export const nameOfTarget = (targetId: string) =>
  targetId === everyone ? 'everyone' : targetId === 'user' ? 'you' : withoutHidden(targetId)

const nameOfSender = ({ senderType, fromAgentId }: Pick<Message, 'senderType' | 'fromAgentId'>) =>
  senderType === 'user' ? 'You' : withoutHidden(fromAgentId)

/** Who sent it, and a badge with the agent whose key it was if the sender gave another name. */
export function Sender({ message }: { message: Message }) {
  const { fromAgentId, sentBy, trust } = message
  return (
    <>
      {nameOfSender(message)}
      <KeyMark keyLabel={findKeyLabel(fromAgentId, sentBy)} />
      {trust === 'imported' && (
        <>
          {' '}
          <StateBadge tone="neutral">imported</StateBadge>
        </>
      )}
    </>
  )
}

/** Follows a name that an agent gave itself: the agent whose key it used. */
export function KeyMark({ keyLabel }: { keyLabel: string | undefined }) {
  if (keyLabel === undefined) return null
  return (
    <>
      {' '}
      <StateBadge tone="warning">{`key: ${withoutHidden(keyLabel)}`}</StateBadge>
    </>
  )
}

export const isFromYou = ({ senderType }: Pick<Message, 'senderType'>) => senderType === 'user'

/** Whether the user has yet to acknowledge it. */
export const isWaiting = (message: Pick<Message, 'senderType' | 'targetType' | 'status'>) =>
  !isFromYou(message) && message.targetType !== 'agent' && message.status === 'pending'

/** Its subject, or else its first line. */
export const titleOf = ({ subject, content }: Pick<Message, 'subject' | 'content'>) =>
  subject !== null && subject.trim() !== '' ? subject : plainText(firstLineOf(content)) || 'Untitled'

const firstLineOf = (text: string) => text.trim().split('\n', 1)[0]?.slice(0, 200) ?? ''

/** A badge that shows whether the message was acknowledged. */
export function MessageState({ message }: { message: Message }) {
  if (isWaiting(message)) return <StateBadge tone="waiting">To acknowledge</StateBadge>
  if (message.status === 'pending') return <StateBadge tone="neutral">Not acknowledged</StateBadge>
  return <StateBadge tone="good">Acknowledged</StateBadge>
}
