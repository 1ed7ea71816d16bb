import type { Message } from '@holdfast/client/dashboard'
import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePage } from '../../api/queries.ts'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { normalPriority, PriorityMark } from '../../components/records/priority-mark.tsx'
import { firstWords } from '../../components/text/first-words.ts'
import { Moment } from '../../components/text/moment.tsx'
import { byPriority, CategoryMark } from '../messages/message-marks.tsx'
import { useAcknowledge } from '../messages/use-acknowledge.ts'
import classes from './home-page.module.css'

const shown = 3
/** The server sends the newest first. An urgent one among so many is found. */
const read = 50

export const useWaitingMessages = () => usePage('read-messages', { status: 'pending', box: 'received', limit: read })

/** The most urgent messages to acknowledge, in all vaults. */
export function WaitingMessages({ count }: { count: number }) {
  const { data } = useWaitingMessages()
  const acknowledge = useAcknowledge()
  const messages = count > 0 ? (data?.messages ?? []).toSorted(byPriority).slice(0, shown) : []
  return messages.map((message, at) => (
    <li key={message.messageId} className={classes.item} data-inner data-rest={at > 0}>
      <div className={classes.text}>
        <Beginning message={message} />
      </div>
      <Button
        variant="default"
        size="xs"
        className={classes.act}
        loading={acknowledge.isBusy}
        onClick={() => acknowledge.some([message.messageId])}
      >
        Acknowledge
      </Button>
    </li>
  ))
}

/** As in the inbox: only what sets the message apart from information that isn't urgent is marked. */
function Beginning({ message }: { message: Message }) {
  const { messageId, fromAgentId, subject, content, category, priority, createdAt } = message
  const beginning = firstWords(content)
  const hasSubject = subject !== null && subject.trim() !== ''
  return (
    <>
      <Anchor
        c="inherit"
        className={classes.line}
        renderRoot={(props) => <Link {...props} to={`/messages/${messageId}`} />}
      >
        {hasSubject ? subject : beginning}
      </Anchor>
      <span className={classes.facts}>
        <span>
          From {nameOfAgent(fromAgentId)}, <Moment at={createdAt} />
        </span>
        {category !== 'info' && <CategoryMark category={category} />}
        {priority > normalPriority && <PriorityMark priority={priority} />}
      </span>
      {hasSubject && <div className={classes.beginning}>{beginning}</div>}
    </>
  )
}
