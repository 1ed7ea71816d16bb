import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import classes from './home-page.module.css'
import type { Overview } from './overview.ts'

const maxAgents = 100

/** What is left of the first run; nothing once all of it is done. */
export function SetupSteps({ counts }: Pick<Overview, 'counts'>) {
  const { data } = usePage('list-integrations', { limit: maxAgents })
  if (data === undefined) return null
  const { integrations } = data
  // The key of the one that comes with the account was shown to nobody in a first run by browser.
  const isMade = integrations.length > 1 || integrations.some((one) => one.keyCount > 1 || one.lastUsedAt !== null)
  const steps = [
    {
      isDone: isMade,
      title: 'Make an agent and its key',
      why: 'Each agent has its own, so that one can be shut out without the others.',
      path: '/agents',
    },
    {
      isDone: integrations.some(({ lastUsedAt }) => lastUsedAt !== null),
      title: 'Connect it',
      why: 'Its program is told where this server is; the page turns green at the first call.',
      path: '/connect',
    },
    {
      isDone: counts.memories.total > 0,
      title: 'Remember something',
      why: 'Tell your agent “remember that I prefer tabs”, or write the first memory yourself.',
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
