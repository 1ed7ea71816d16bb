import { Alert } from '@mantine/core'
import { Info } from 'lucide-react'
import { formatMoment } from '../../components/text/time-text.ts'
import type { Answer } from './lab-state.ts'
import classes from './search-page.module.css'

const modes = { blind_only: 'Ranked by words only:', semantic_only: 'Ranked by meaning only.' }

const percent = (share: number) => `${Math.round(share * 100)}%`

/** The search compares stems of words: `bicycl`. */
const asTyped = (stem: string, query: string) =>
  query.match(/[\p{L}\p{N}]+/gu)?.find((word) => word.toLowerCase().startsWith(stem)) ?? stem

/** How the server understood the query. */
export function QuestionFacts({ answer, query }: { answer: Answer; query: string }) {
  const { searchMode, degraded, explanation } = answer
  const { words, leftOut, dates, semanticWeight, blindWeight } = explanation
  return (
    <>
      {degraded.map(({ reason }) => (
        <Alert key={reason} color="yellow" variant="light" icon={<Info size={16} aria-hidden />} mb="sm">
          Limited search: {reason}
        </Alert>
      ))}
      <div className={classes.facts}>
        <span>
          {searchMode === 'hybrid'
            ? `Ranked ${percent(semanticWeight)} by meaning and ${percent(blindWeight)} by words:`
            : modes[searchMode]}
        </span>
        {words.map(({ word, weight, isCounted, isSpeaker }) => (
          <span key={word} className={classes.word} data-counted={isCounted}>
            {asTyped(word, query)}
            {words.length > 1 && ` ${percent(weight)}`}
            {!isCounted && ', no matches'}
            {isSpeaker && ', speaker'}
          </span>
        ))}
        {leftOut.length > 0 && <span>Ignored: {leftOut.join(', ')}</span>}
        {dates.map(({ from, to }) => (
          <span key={from}>
            {formatMoment(from)} to {formatMoment(to)}
          </span>
        ))}
      </div>
    </>
  )
}
