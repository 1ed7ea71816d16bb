import type { Message } from '@holdfast/client/dashboard'
import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../api/queries.ts'
import { useDraft } from '../../shell/drafts.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import classes from './inbox.module.css'
import { isFromYou, isWaiting, nameOfTarget } from './message-looks.tsx'
import { messageReads, useAcknowledge } from './use-acknowledge.ts'

const maxChars = 10_240

/** Replies to the latest message of a thread. */
export function ReplyForm({ messages }: { messages: readonly [Message, ...Message[]] }) {
  const latest = messages.at(-1) ?? messages[0]
  const waiting = messages.filter(isWaiting)
  const targetId = recipientOf(latest)
  const [content, setContent] = useDraft(`reply ${latest.threadId}`)
  const [acknowledges, setAcknowledges] = useState(true)
  const { some } = useAcknowledge()
  const send = useAction('send-message', {
    refreshes: messageReads,
    onDone() {
      toast(`Sent to ${nameOfTarget(targetId)}`)
      setContent('')
      if (acknowledges) some(waiting.map(({ messageId }) => messageId))
    },
  })
  return (
    <form
      className={classes.reply}
      onSubmit={(event) => {
        event.preventDefault()
        if (content.trim() === '') return
        const { vaultId, messageId: parentMessageId } = latest
        send.mutate({ vaultId, targetId, parentMessageId, content }, { onError: (error) => toastError(error) })
      }}
    >
      <Textarea
        label={`Reply to ${nameOfTarget(targetId)}`}
        placeholder="Write a reply…"
        value={content}
        onChange={({ currentTarget }) => setContent(currentTarget.value)}
        maxLength={maxChars}
        autosize
        minRows={2}
        maxRows={10}
        data-reply
      />
      <Group justify="space-between" mt="xs">
        {waiting.length > 0 ? (
          <Checkbox
            label={describeWaiting(waiting)}
            checked={acknowledges}
            onChange={({ currentTarget }) => setAcknowledges(currentTarget.checked)}
          />
        ) : (
          <span />
        )}
        <Button
          type="submit"
          leftSection={<Send size={15} aria-hidden />}
          disabled={content.trim() === ''}
          loading={send.isPending}
        >
          Send
        </Button>
      </Group>
    </form>
  )
}

function describeWaiting([first, ...others]: readonly Message[]): string {
  if (others.length > 0) return `Also acknowledge all ${others.length + 1}`
  return `Also acknowledge the message from ${nameOfTarget(first?.fromAgentId ?? '')}`
}

/** The recipient of a reply: the author of the message, or its recipient if you wrote it. */
const recipientOf = (message: Message) => (isFromYou(message) ? message.targetId : message.fromAgentId)
