import type { Task } from '@holdfast/client/dashboard'
import { Button, Group, Text, Textarea, Title } from '@mantine/core'
import { MessageSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../api/queries.ts'
import { nameOfAuthor, nameOfMover } from '../../components/records/agent-names.ts'
import { Moment } from '../../components/text/moment.tsx'
import { useDraft } from '../../shell/drafts.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import classes from './task-detail.module.css'
import { StatusIcon, titleOfStatus } from './task-looks.tsx'
import { RunLink } from './task-run.tsx'
import { taskReads } from './use-task-mutations.ts'
import { OnlyFor } from '../../components/frame/only-for.tsx'

const shownAtFirst = 8

/** State changes and comments, latest first. */
export function TaskHistory({ vaultId, task }: { vaultId: string; task: Task }) {
  const [isWhole, setWhole] = useState(false)
  const { statusHistory, createdAt } = task
  const changes = statusHistory.toReversed()
  const shown = isWhole ? changes : changes.slice(0, shownAtFirst)
  return (
    <section>
      <Title order={3} mb="xs">
        History
      </Title>
      <OnlyFor needs="editor">
        <Comment vaultId={vaultId} id={task.taskId} />
      </OnlyFor>
      <ol className={classes.history}>
        {shown.map(({ from, to, at, agentRunId, comment, ...by }) => (
          <li key={`${at} ${from} ${to} ${comment}`} className={classes.step}>
            <span className={classes.mark}>
              {from === to ? <MessageSquare size={15} aria-hidden /> : <StatusIcon status={to} />}
            </span>
            <Text size="sm">
              <b>{nameOfMover(task, by)}</b>{' '}
              {from === to ? (
                'commented'
              ) : (
                <>
                  moved it from <b>{titleOfStatus(from)}</b> to <b>{titleOfStatus(to)}</b>
                </>
              )}{' '}
              <Text span inherit c="dimmed">
                <Moment at={at} />
                {agentRunId !== undefined && (
                  <>
                    {' '}
                    in <RunLink runId={agentRunId} isInText />
                  </>
                )}
              </Text>
            </Text>
            {comment !== undefined && <p className={classes.comment}>{comment}</p>}
          </li>
        ))}
        {shown.length === changes.length && (
          <li className={classes.step}>
            <span className={classes.mark}>
              <Plus size={15} aria-hidden />
            </span>
            <Text size="sm">
              <b>{nameOfAuthor(task)}</b> created it{' '}
              <Text span inherit c="dimmed">
                <Moment at={createdAt} />
              </Text>
            </Text>
          </li>
        )}
      </ol>
      {shown.length < changes.length && (
        <Button size="xs" variant="default" onClick={() => setWhole(true)}>
          Show {changes.length - shown.length} earlier changes
        </Button>
      )}
    </section>
  )
}

const maxCommentChars = 2000

function Comment({ vaultId, id }: { vaultId: string; id: string }) {
  const [text, setText] = useDraft(`comment ${id}`)
  const edit = useAction('update-task', {
    refreshes: taskReads,
    onDone() {
      toast('Comment added')
      setText('')
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '')
          edit.mutate({ vaultId, taskId: id, comment: text.trim() }, { onError: (error) => toastError(error) })
      }}
    >
      <Group gap="xs" align="flex-end" mb="md" wrap="nowrap">
        <Textarea
          aria-label="Comment"
          placeholder="Add a comment"
          flex={1}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={maxCommentChars}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={text.trim() === ''} loading={edit.isPending}>
          Add
        </Button>
      </Group>
    </form>
  )
}
