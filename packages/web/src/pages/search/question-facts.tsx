import { Alert } from '@mantine/core'
import { Info } from 'lucide-react'
import { formatMoment } from '../../components/text/time-text.ts'
import type { Answer } from './lab-state.ts'
import classes from './search-page.module.css'

const modes = { hybrid: 'Meaning and words', blind_only: 'Words only', semantic_only: 'Meaning only' }

const percent = (share: number) => `${Math.round(share * 100)}%`

/** How the server understood the query. */
export function QuestionFacts({ answer }: { answer: Answer }) {
  const { searchMode, degraded, explanation } = answer
  const { words, leftOut, dates, semanticWeight, blindWeight, coverage } = explanation
  return (
    <>
      {degraded.map(({ leg, reason }) => (
        <Alert key={leg} color="yellow" variant="light" icon={<Info size={16} aria-hidden />} mb="sm">
          Limited search: {reason}
        </Alert>
      ))}
      <div className={classes.facts}>
        <span>{modes[searchMode]}</span>
        <span>
          weights: meaning {percent(semanticWeight)}, words {percent(blindWeight)}
        </span>
        <span>best coverage {percent(coverage)}</span>
      </div>
      <div className={classes.facts}>
        <span>Searched for</span>
        {words.map(({ word, weight, isCounted, isSpeaker }) => (
          <span key={word} className={classes.word} data-counted={isCounted}>
            {word} {percent(weight)}
            {!isCounted && ', no matches'}
            {isSpeaker && ', speaker'}
          </span>
        ))}
        {leftOut.length > 0 && <span>ignored: {leftOut.join(', ')}</span>}
        {dates.map(({ from, to }) => (
          <span key={from}>
            {formatMoment(from)} to {formatMoment(to)}
          </span>
        ))}
      </div>
    </>
  )
}
