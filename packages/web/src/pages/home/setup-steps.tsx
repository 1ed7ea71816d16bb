import { Anchor, Button, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import classes from './home-page.module.css'
import type { Overview } from './overview.ts'

const maxAgents = 100

export const useFirstAgents = () => usePage('list-integrations', { limit: maxAgents })

interface Step {
  isDone: boolean
  title: string
  /** The words of its button. */
  act: string
  why: string
  path: string
  search: object
}

/** The setup steps that are left. Renders nothing once all are done. */
export function SetupSteps({ counts }: Pick<Overview, 'counts'>) {
  const { data } = useFirstAgents()
  if (data === undefined) return null
  const { integrations } = data
  const [first, ...others] = integrations
  const steps: Step[] = [
    {
      isDone: integrations.length > 0,
      title: 'Create an agent and its key',
      act: 'Open Agents & keys',
      why: 'Each agent has its own key, so you can revoke one without affecting the others.',
      path: '/agents',
      search: {},
    },
    {
      isDone: integrations.some(({ lastUsedAt }) => lastUsedAt !== null),
      title: 'Connect it',
      act: 'Open Connect',
      why: 'Point its client to this server. The page shows when the first call arrives.',
      path: '/connect',
      // An agent that waits for its first call is the one to connect.
      search: first !== undefined && others.length === 0 ? { agent: first.id } : {},
    },
    {
      isDone: counts.memories.total > 0,
      title: 'Store a memory',
      act: 'Open Memories',
      why: 'Tell your agent “remember that I prefer tabs”, or add the first memory yourself.',
      path: '/memories',
      search: {},
    },
  ]
  const left = steps.filter(({ isDone }) => !isDone).length
  if (left === 0) return null
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <section className={classes.steps}>
      <Title order={2}>Getting started</Title>
      <Text c="dimmed" size="sm" mb="xs">
        {steps.length - left} of {steps.length} done
      </Text>
      <ol className={classes.list}>
        {steps.map((step) => (
          <li key={step.path} className={classes.item} data-done={step.isDone}>
            {step.isDone ? <CircleCheck size={17} aria-label="Done" /> : <Circle size={17} aria-label="To do" />}
            {step === next ? <NextStep {...step} /> : <OtherStep {...step} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

const NextStep = ({ title, act, why, path, search }: Step) => (
  <div>
    <Text fw={600}>{title}</Text>
    <Text size="sm" c="dimmed">
      {why}
    </Text>
    <Button size="xs" mt={10} mb={4} renderRoot={(props) => <Link {...props} to={path} search={search} />}>
      {act}
    </Button>
  </div>
)

const OtherStep = ({ isDone, title, path, search }: Step) =>
  isDone ? (
    <Text c="dimmed">{title}</Text>
  ) : (
    <Anchor c="inherit" renderRoot={(props) => <Link {...props} to={path} search={search} />}>
      {title}
    </Anchor>
  )
