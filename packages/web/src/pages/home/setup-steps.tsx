import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import classes from './home-page.module.css'
import type { Overview } from './overview.ts'

const maxAgents = 100

export const useFirstAgents = () => usePage('list-integrations', { limit: maxAgents })

/** The setup steps that are left. Renders nothing once all are done. */
export function SetupSteps({ counts }: Pick<Overview, 'counts'>) {
  const { data } = useFirstAgents()
  if (data === undefined) return null
  const { integrations } = data
  // Setup in the browser creates the first agent with a key that nobody sees, so that agent alone doesn't count.
  const hasAgent = integrations.length > 1 || integrations.some((one) => one.keyCount > 1 || one.lastUsedAt !== null)
  const steps = [
    {
      isDone: hasAgent,
      title: 'Create an agent and its key',
      why: 'Each agent has its own key, so you can revoke one without affecting the others.',
      path: '/agents',
    },
    {
      isDone: integrations.some(({ lastUsedAt }) => lastUsedAt !== null),
      title: 'Connect it',
      why: 'Point its client to this server. The page shows when the first call arrives.',
      path: '/connect',
    },
    {
      isDone: counts.memories.total > 0,
      title: 'Store a memory',
      why: 'Tell your agent “remember that I prefer tabs”, or add the first memory yourself.',
      path: '/memories',
    },
  ]
  const left = steps.filter(({ isDone }) => !isDone).length
  if (left === 0) return null
  return (
    <section className={classes.steps}>
      <Title order={2}>Getting started</Title>
      <Text c="dimmed" size="sm" mb="xs">
        {steps.length - left} of {steps.length} done
      </Text>
      <ol className={classes.list}>
        {steps.map(({ isDone, title, why, path }) => (
          <li key={path} className={classes.item} data-done={isDone}>
            {isDone ? <CircleCheck size={17} aria-label="Done" /> : <Circle size={17} aria-label="To do" />}
            <div>
              {isDone ? (
                <Text c="dimmed">{title}</Text>
              ) : (
                <Anchor fw={550} renderRoot={(props) => <Link {...props} to={path} />}>
                  {title}
                </Anchor>
              )}
              {!isDone && (
                <Text size="sm" c="dimmed">
                  {why}
                </Text>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
