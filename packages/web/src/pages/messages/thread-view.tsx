import type { Message } from '@holdfast/client/dashboard'
import { Button, Group } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import { MailX } from 'lucide-react'
import { useState } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import { usePage, usePages } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonRecord } from '../../components/feedback/skeletons.tsx'
import { RecordTitle } from '../../components/lists/record-panel.tsx'
import { TextDialog } from '../../components/forms/text-dialog.tsx'
import classes from './inbox.module.css'
import { MessageItem } from './message-item.tsx'
import { titleOf } from './message-looks.tsx'
import { ReplyForm } from './reply-form.tsx'
import { useAcknowledge } from './use-acknowledge.ts'

const pageSize = 50
const maxNoteChars = 2000

/** The messages of a thread, oldest first, and the reply form. */
export function ThreadView({ threadId }: { threadId: string }) {
  const query = usePages('read-messages', { threadId, box: 'all', limit: pageSize })
  return (
    <Loaded query={query} skeleton={<SkeletonRecord />}>
      {({ pages }) => {
        const [first, ...rest] = pages.flatMap(({ messages }) => messages).toReversed()
        if (first === undefined) return <ThreadOfMessage id={threadId} />
        const earlier = query.hasNextPage && { onEarlier: () => void query.fetchNextPage() }
        return <Thread messages={[first, ...rest]} {...earlier} />
      }}
    </Loaded>
  )
}

interface Props {
  messages: readonly [Message, ...Message[]]
  /** Undefined if all messages are shown. */
  onEarlier?: () => void
}

function Thread({ messages, onEarlier }: Props) {
  const [notedId, setNoted] = useState<string>()
  const { some, isBusy } = useAcknowledge()
  const [first] = messages
  const title = titleOf(first)
  return (
    <>
      {/* Without a subject, the title is the beginning of the message, which follows. */}
      {first.subject === title && <RecordTitle>{title}</RecordTitle>}
      {onEarlier !== undefined && (
        <Group justify="center" mb="sm">
          <Button size="xs" variant="default" onClick={onEarlier}>
            Show earlier messages
          </Button>
        </Group>
      )}
      <ol className={classes.messages}>
        {messages.map((message) => (
          <MessageItem
            key={message.messageId}
            message={message}
            isSubjectKnown={message.subject === title}
            isBusy={isBusy}
            onAcknowledge={() => some([message.messageId])}
            onNote={() => setNoted(message.messageId)}
          />
        ))}
      </ol>
      <ReplyForm key={first.threadId} messages={messages} />
      {notedId !== undefined && (
        <TextDialog
          title="Acknowledge with a note"
          label="Note"
          description="The sender sees this note."
          maxChars={maxNoteChars}
          action="Acknowledge"
          onDone={(note) => {
            some([notedId], note)
            setNoted(undefined)
          }}
          onClose={() => setNoted(undefined)}
        />
      )}
    </>
  )
}

/** The id may belong to a message instead. If so, opens the thread of that message. */
function ThreadOfMessage({ id }: { id: string }) {
  const found = usePage('read-messages', { messageId: id })
  if (isNotFound(found.error, 'messageId'))
    return (
      <EmptyState
        icon={MailX}
        action={<Button renderRoot={(props) => <Link {...props} to="/messages" />}>All messages</Button>}
      >
        Message not found. It may have expired or been deleted.
      </EmptyState>
    )
  return (
    <Loaded query={found}>
      {({ messages: [message] }) =>
        message === undefined || message.threadId === id ? null : (
          <Navigate to={`/messages/${message.threadId}`} replace />
        )
      }
    </Loaded>
  )
}
