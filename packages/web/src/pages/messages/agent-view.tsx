import type { Message } from '@holdfast/client/dashboard'
import { messageItem } from '@holdfast/mcp/render/messages'
import { Input } from '@mantine/core'
import { useNow } from '../../components/text/moment.tsx'
import classes from './agent-view.module.css'

export type Drafted = Pick<Message, 'targetId' | 'category' | 'priority' | 'subject' | 'content'>

/** What the agent will be told, by the very code that tells it. */
export function AgentView({ draft, vaultName }: { draft: Drafted; vaultName: string }) {
  const nowMs = useNow()
  const message = { ...unsent, ...draft, createdAt: new Date(nowMs).toISOString() }
  return (
    <Input.Wrapper
      className={classes.view}
      labelElement="div"
      label="What the agent will see"
      description="As the tool read_messages prints it. Sessions begin with it as well, shortened where many wait."
    >
      {/* Focusable, since it may have to be scrolled by keyboard. */}
      <pre className={classes.text} tabIndex={0} role="group" aria-label="The message as the agent sees it">
        {messageItem(message, nowMs, vaultName)}
      </pre>
    </Input.Wrapper>
  )
}

/** What the server will fill in. */
const unsent: Message = {
  messageId: '…',
  id: '…',
  vaultId: '…',
  fromAgentId: 'user',
  senderType: 'user',
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
  ackNote: null,
  parentMessageId: null,
  threadId: '…',
  expiresAt: '',
  createdAt: '',
}
