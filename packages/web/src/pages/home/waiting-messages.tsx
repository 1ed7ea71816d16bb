import { Anchor, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePage } from '../../api/queries.ts'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { Moment } from '../../components/text/moment.tsx'
import { useAcknowledge } from '../messages/use-acknowledge.ts'
import classes from './home-page.module.css'

const shown = 3

export const useWaitingMessages = () => usePage('read-messages', { status: 'pending', box: 'received', limit: shown })

/** The newest messages to acknowledge, in all vaults. */
export function WaitingMessages({ count }: { count: number }) {
  const { data } = useWaitingMessages()
  const acknowledge = useAcknowledge()
  const messages = count > 0 ? (data?.messages ?? []) : []
  return messages.map(({ messageId, fromAgentId, subject, content, createdAt }, at) => (
    <li key={messageId} className={classes.item} data-inner data-rest={at > 0}>
      <div className={classes.text}>
        <Anchor
          c="inherit"
          className={classes.line}
          renderRoot={(props) => <Link {...props} to={`/messages/${messageId}`} />}
        >
          {subject ?? content.slice(0, 200)}
        </Anchor>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          From {nameOfAgent(fromAgentId)}, <Moment at={createdAt} />
        </Text>
      </div>
      <Button
        variant="default"
        size="compact-sm"
        className={classes.act}
        loading={acknowledge.isBusy}
        onClick={() => acknowledge.some([messageId])}
      >
        Acknowledge
      </Button>
    </li>
  ))
}
