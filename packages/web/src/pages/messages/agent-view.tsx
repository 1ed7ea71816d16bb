import type { Message } from '@holdfast/client/dashboard'
import { messageItem } from '@holdfast/mcp/render/messages'
import { Input } from '@mantine/core'
import { useNow } from '../../components/text/moment.tsx'
import classes from './agent-view.module.css'

export type Drafted = Pick<Message, 'targetId' | 'category' | 'priority' | 'subject' | 'content'>

/** What the agent will see, rendered by the same code as the real message. */
export function AgentView({ draft, vaultName }: { draft: Drafted; vaultName: string }) {
  const nowMs = useNow()
  const message = { ...unsent, ...draft, createdAt: new Date(nowMs).toISOString() }
  return (
    <Input.Wrapper
      className={classes.view}
      labelElement="div"
      label="What the agent sees"
      description="As returned by read_messages. Also included at the start of a session, shortened if there are many messages."
    >
      {/* Focusable for scrolling by keyboard. */}
      <pre className={classes.text} tabIndex={0} role="group" aria-label="The message as the agent sees it">
        {messageItem(message, nowMs, vaultName)(boundary)}
      </pre>
    </Input.Wrapper>
  )
}

/** Stands for the random characters in the marks of an answer. */
const boundary = '…'

/** Placeholders for what the server fills in. */
const unsent: Message = {
  messageId: '…',
  id: '…',
  vaultId: '…',
  fromAgentId: 'user',
  senderType: 'user',
  sentBy: null,
  trust: 'user_authored',
  targetId: '…',
  targetType: 'agent',
  category: 'info',
  priority: 3,
  subject: null,
  content: '',
  template: null,
  status: 'pending',
  acknowledgedAt: null,
  acknowledgedBy: null,
  acknowledgedWith: null,
  ackNote: null,
  parentMessageId: null,
  threadId: '…',
  expiresAt: '',
  createdAt: '',
}
