import { Alert, Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Info, NotebookText, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import type { AskAnswer, AskSource } from '../../api/ask.ts'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { countOf } from '../../components/text/time-text.ts'
import classes from './ask-page.module.css'
import type { Exchange } from './ask-state.ts'

export function ExchangeView({ exchange }: { exchange: Exchange }) {
  const id = useId()
  const { question, text, sources, answer, error } = exchange
  const isBusy = answer === undefined && error === undefined
  return (
    <article className={classes.exchange} aria-labelledby={id}>
      <Title order={2} id={id} className={classes.question}>
        {question}
      </Title>
      {/* A screen reader reads it once it is complete. */}
      <div aria-live="polite" aria-busy={isBusy}>
        {isBusy && text === '' && (
          <Text c="dimmed">
            {sources.length === 0 ? 'Searching this vault…' : `Reading ${countOf(sources.length, 'record')}…`}
          </Text>
        )}
        {isBusy && text !== '' && <Cited text={text} sources={sources} />}
        {error !== undefined && <Problem>{error.message}</Problem>}
        {answer !== undefined && <Outcome answer={answer} />}
      </div>
      {answer !== undefined && <Degraded answer={answer} />}
      {answer !== undefined && <Sources answer={answer} />}
    </article>
  )
}

const Problem = ({ children }: { children: string }) => (
  <Alert color="red" variant="light" icon={<TriangleAlert size={18} aria-hidden />}>
    {children}
  </Alert>
)

function Outcome({ answer: { outcome, answer, sources, problem } }: { answer: AskAnswer }) {
  switch (outcome) {
    case 'answered':
      return <Cited text={answer ?? ''} sources={sources} />
    case 'unknown':
      return <Text>The records in this vault don’t answer this question.</Text>
    case 'no_records':
      return <Text>No records match this question, so the model wasn’t asked. Try other words.</Text>
    case 'no_model':
      return <Problem>No language model is set up on this server.</Problem>
    case 'model_failed':
      return <Problem>{`The language model didn’t answer (${problem ?? 'unknown'}). Try again in a moment.`}</Problem>
  }
}

/** What a model wrote is shown as plain text: only the numbers of sources become links. */
function Cited({ text, sources }: { text: string; sources: readonly AskSource[] }) {
  const parts = text.split(/(\[\d{1,3}(?:\s*,\s*\d{1,3})*\])/)
  return (
    <Text component="div" className={classes.answer}>
      {parts.map((part, at) => {
        const numbers = /^\[([\d\s,]+)\]$/.exec(part)?.[1]?.split(',').map(Number) ?? []
        const cited = numbers.flatMap((number) => sources.find((source) => source.number === number) ?? [])
        if (cited.length === 0 || cited.length < numbers.length) return part
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a text only grow at its end
        return cited.map((source) => <Citation key={`${at} ${source.number}`} source={source} />)
      })}
    </Text>
  )
}

const pathOf = ({ type, memoryType, id }: AskSource) =>
  type === 'note' ? `/notes/${id}` : memoryType === 'task' ? `/tasks/${id}` : `/memories/${id}`

const Citation = ({ source }: { source: AskSource }) => (
  <Anchor
    renderRoot={(props) => <Link {...props} to={pathOf(source)} />}
    className={classes.citation}
    aria-label={`Source ${source.number}: ${source.title}`}
  >
    {source.number}
  </Anchor>
)

const Degraded = ({ answer: { degraded } }: { answer: AskAnswer }) =>
  degraded.map(({ leg, reason }) => (
    <Alert key={`${leg} ${reason}`} color="yellow" variant="light" icon={<Info size={16} aria-hidden />}>
      Search is limited: {reason}
    </Alert>
  ))

function Sources({ answer: { outcome, sources } }: { answer: AskAnswer }) {
  const cited = sources.filter(({ isCited }) => isCited)
  const shown = cited.length === 0 ? sources : cited
  if (shown.length === 0) return null
  const isUncited = outcome === 'answered' && cited.length === 0
  return (
    <section className={classes.sources} aria-label="Sources">
      <Title order={3} size="h5" mb="xs">
        {outcome === 'answered' && !isUncited ? 'Sources' : 'Closest records'}
      </Title>
      {isUncited && (
        <Text size="sm" c="dimmed" mb="xs">
          The answer names no source. Check it against these records.
        </Text>
      )}
      <ul className={classes.list}>
        {shown.map((source) => (
          <li key={source.id} className={classes.source}>
            <span className={classes.number}>{source.number}</span>
            <Anchor renderRoot={(props) => <Link {...props} to={pathOf(source)} />} className={classes.title}>
              {source.title}
            </Anchor>
            <Text span size="sm" c="dimmed" className={classes.facts}>
              {source.memoryType === null ? <NoteMark /> : <MemoryTypeMark type={source.memoryType} />}
              <Moment at={source.date} />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}

const NoteMark = () => (
  <span className={classes.noteMark}>
    <NotebookText size={15} strokeWidth={1.8} aria-hidden />
    <span>Note</span>
  </span>
)
