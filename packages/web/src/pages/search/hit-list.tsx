import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { describeMove } from './describe-rank.ts'
import { explainHit, howFound } from './explain-hit.ts'
import { FoundKind, FoundTitle } from './found-title.tsx'
import type { Answer, Details, Found } from './lab-state.ts'
import { ScoreBar, ScoreLegend } from './score-bar.tsx'
import classes from './search-page.module.css'

type Hit = Answer['hits'][number]

interface ListProps {
  hits: readonly Hit[]
  records: ReadonlyMap<string, Found>
  explanation: Answer['explanation']
}

export function HitList({ hits, records, explanation }: ListProps) {
  const best = Math.max(...hits.map(({ score }) => score))
  return (
    <>
      <ScoreLegend />
      <ol className={classes.hits}>
        {hits.map((hit, at) => (
          <HitRow
            key={hit.id}
            hit={hit}
            place={at + 1}
            best={best}
            record={records.get(hit.id)}
            explanation={explanation}
          />
        ))}
      </ol>
    </>
  )
}

interface RowProps {
  hit: Hit
  place: number
  best: number
  record: Found | undefined
  explanation: Answer['explanation']
}

function HitRow({ hit, place, best, record, explanation }: RowProps) {
  const { id, score, similarity, relevance, scoreDetails } = hit
  const [isOpen, open] = useDisclosure()
  const move = describeMove(scoreDetails, explanation)
  return (
    <li className={classes.hit}>
      <span className={classes.place}>{place}</span>
      <FoundTitle id={id} record={record} />
      <span className={classes.score} title="Score">
        {score.toFixed(3)}
      </span>
      <div className={classes.under}>
        <ScoreBar details={scoreDetails} score={score} best={best} />
        <div className={classes.parts}>
          <FoundKind record={record} />
          {similarity !== null && (
            <span>
              Similarity {similarity.toFixed(2)}
              {similarity < explanation.threshold && `, ${howFound(scoreDetails)}`}
            </span>
          )}
          {relevance !== null && <span>Relevance {relevance.toFixed(2)}</span>}
          {move !== undefined && <span>{move}</span>}
          <Button
            className={classes.whyButton}
            size="compact-xs"
            px={4}
            variant="subtle"
            aria-expanded={isOpen}
            onClick={open.toggle}
          >
            {isOpen ? 'Hide' : 'Why this result?'}
          </Button>
        </div>
        {isOpen && <Why sentences={explainHit(hit, explanation)} details={scoreDetails} />}
      </div>
    </li>
  )
}

/** Sentences first: most people need no figures. */
function Why({ sentences, details }: { sentences: readonly string[]; details: Details }) {
  const [isOpen, open] = useDisclosure()
  return (
    <>
      <ul className={classes.why}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={open.toggle}>
        {isOpen ? 'Hide figures' : 'All figures'}
      </Button>
      {isOpen && <Figures details={details} />}
    </>
  )
}

/** `newerId` is said in a sentence. */
const names: Readonly<Record<Exclude<keyof Details, 'newerId'>, string>> = {
  semanticRank: 'Rank by meaning',
  blindRank: 'Rank by words',
  graphRank: 'Rank by links',
  semanticScore: 'Raw score by meaning',
  blindScore: 'Raw score by words',
  cosine: 'Cosine',
  dateFactor: 'Date factor',
  speakerFactor: 'Speaker factor',
  semanticPart: 'Score from meaning',
  blindPart: 'Score from words',
  lent: 'Score from links',
  rrf: 'Fused score',
  decay: 'Age factor',
  importance: 'Importance factor',
  outdated: 'Factor for a newer one',
  place: 'Rank by score',
  mmr: 'Diversity score',
  position: 'Final rank',
}

function Figures({ details }: { details: Details }) {
  return (
    <dl className={classes.details}>
      {(Object.keys(names) as (keyof typeof names)[]).map((name) => (
        <div key={name}>
          <dt>{names[name]}</dt>
          <dd>{printFigure(details[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

const printFigure = (value: number | null) =>
  value === null ? '–' : Number.isInteger(value) ? String(value) : value.toFixed(4)
