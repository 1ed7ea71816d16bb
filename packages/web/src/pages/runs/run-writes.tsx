import type { Run } from '@holdfast/client/dashboard'
import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { OneOf } from '../../api/queries.ts'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { ClockTime } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf } from '../../components/text/time-text.ts'
import classes from './run-page.module.css'

type Written = Pick<OneOf<'list-runs'>, 'memories' | 'memoryCount' | 'leftOut'>

/** The memories that a run stored, newest first. */
export function RunWrites({ run: { agentRunId }, memories, memoryCount, leftOut }: Written & { run: Run }) {
  return (
    <section>
      <Title order={2} mb="xs">
        Memories
      </Title>
      <LeftOut pages={leftOut === undefined ? [] : [{ leftOut }]} />
      {memories.length === 0 ? (
        <Text c="dimmed">No memories stored.</Text>
      ) : (
        <ul className={classes.writes}>
          {memories.map(({ memoryId, memoryType, title, live, createdAt }) => (
            <li key={memoryId} className={classes.write}>
              <Anchor
                className={classes.title}
                c="inherit"
                renderRoot={(props) => (
                  <Link {...props} to={memoryType === 'task' ? `/tasks/${memoryId}` : `/memories/${memoryId}`} />
                )}
              >
                {title === '' ? 'Untitled' : title}
              </Anchor>
              <span className={classes.aside}>
                <MemoryTypeMark type={memoryType} />
                {!live && <StateBadge tone="off">Inactive</StateBadge>}
                <ClockTime at={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {memories.length > 0 && (
        <Group gap="md" mt="xs">
          <Anchor renderRoot={(props) => <Link {...props} to="/memories" search={{ run: agentRunId, state: 'all' }} />}>
            {memoryCount > memories.length ? `All ${countOf(memoryCount, 'memory', 'memories')}` : 'Show in Memories'}
          </Anchor>
          {memories.some(({ memoryType }) => memoryType === 'task') && (
            <Anchor
              renderRoot={(props) => (
                <Link {...props} to="/tasks" search={{ run: agentRunId, view: 'list', state: 'all' }} />
              )}
            >
              Show in Tasks
            </Anchor>
          )}
        </Group>
      )}
    </section>
  )
}
