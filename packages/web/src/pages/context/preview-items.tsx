import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import classes from './context-page.module.css'
import type { Preview } from './preview-state.ts'

interface Item {
  id: string
  text: string
  isClipped: boolean
}

/** The items of the context, one line each, with links to their pages. */
export function PreviewItems({ answer }: { answer: Preview['answer'] }) {
  const { constraints, tasks, facts, episodic } = answer.sessionContext
  const parts = [
    ['Constraints', constraints.map(itemOf)],
    ['Tasks', tasks.map(({ taskId, title }) => ({ id: taskId, text: title, isClipped: false }))],
    ['Facts', facts.map(itemOf)],
    ['Episodes', episodic.map(itemOf)],
  ] as const
  const filled = parts.filter(([, items]) => items.length > 0)
  if (filled.length === 0) return <Text c="dimmed">No memories or tasks in this context.</Text>
  return filled.map(([title, items]) => (
    <section key={title}>
      <Title order={3}>{title}</Title>
      <ul className={classes.items}>
        {items.map(({ id, text, isClipped }) => (
          <li key={id}>
            <Anchor renderRoot={(props) => <Link {...props} to={`/memories/${id}`} />} c="inherit">
              {text}
            </Anchor>
            {isClipped && (
              <Text span size="xs" c="dimmed">
                {' '}
                (shortened)
              </Text>
            )}
          </li>
        ))}
      </ul>
    </section>
  ))
}

const maxTextChars = 300

function itemOf({
  memoryId,
  summary,
  content,
  clipped = false,
}: Preview['answer']['sessionContext']['facts'][number]): Item {
  const text = summary ?? content ?? ''
  return {
    id: memoryId,
    text: text.length > maxTextChars ? `${text.slice(0, maxTextChars)}…` : text,
    isClipped: clipped,
  }
}
