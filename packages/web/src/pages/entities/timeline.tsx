import { Button, Group, Title, Tooltip, UnstyledButton } from '@mantine/core'
import type { OutputOf } from '../../api/call.ts'
import { countOf } from '../../components/text/time-text.ts'
import classes from './entity-page.module.css'

type Data = OutputOf<'read-entity'>['about']['timeline']
type Point = Data['points'][number]

interface Props {
  timeline: Data
  /** The start of the chosen bar; empty if none is chosen. */
  chosen: string
  onChoose: (point: Point | undefined) => void
}

const formats = {
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
  year: new Intl.DateTimeFormat(undefined, { year: 'numeric', timeZone: 'UTC' }),
}

/** When records were stored, as bars. A bar filters the list. */
export function Timeline({ timeline: { unit, points }, chosen, onChoose }: Props) {
  if (points.length < 2) return null
  const most = Math.max(...points.map(({ count }) => count))
  const nameOf = ({ from }: Point) => formats[unit].format(new Date(from))
  const picked = points.find(({ from }) => from === chosen)
  const [first, last] = [points[0], points.at(-1)]
  return (
    <section aria-label="Stored over time">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          Stored over time
        </Title>
        {picked !== undefined && (
          <Button variant="default" size="compact-xs" my={-3} onClick={() => onChoose(undefined)}>
            Only {nameOf(picked)} · show all
          </Button>
        )}
      </Group>
      <div className={classes.bars}>
        {points.map((point) =>
          point.count === 0 ? (
            <span key={point.from} />
          ) : (
            <Tooltip key={point.from} label={`${nameOf(point)}: ${point.count}`}>
              <UnstyledButton
                className={classes.bar}
                aria-label={`${nameOf(point)}: ${countOf(point.count, 'record')}`}
                aria-pressed={point === picked}
                onClick={() => onChoose(point === picked ? undefined : point)}
              >
                <span style={{ height: `${Math.max(6, (point.count / most) * 100)}%` }} />
              </UnstyledButton>
            </Tooltip>
          ),
        )}
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{first && nameOf(first)}</span>
        <span>{last && nameOf(last)}</span>
      </div>
    </section>
  )
}
