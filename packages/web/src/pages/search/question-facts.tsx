import { Alert } from '@mantine/core'
import { Info } from 'lucide-react'
import { formatMoment } from '../../components/text/time-text.ts'
import type { Answer } from './lab-state.ts'
import classes from './search-page.module.css'

const modes = { hybrid: 'Meaning and words', blind_only: 'Words alone', semantic_only: 'Meaning alone' }

const percent = (share: number) => `${Math.round(share * 100)} %`

/** What the question was taken for. */
export function QuestionFacts({ answer }: { answer: Answer }) {
  const { searchMode, degraded, explanation } = answer
  const { words, leftOut, dates, semanticWeight, blindWeight, coverage } = explanation
  return (
    <>
      {degraded.map(({ leg, reason }) => (
        <Alert key={leg} color="yellow" variant="light" icon={<Info size={16} aria-hidden />} mb="sm">
          Poorer than it could be: {reason}
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
        <span>Looked for</span>
        {words.map(({ word, weight, isCounted, isSpeaker }) => (
          <span key={word} className={classes.word} data-counted={isCounted}>
            {word} {percent(weight)}
            {!isCounted && ', nowhere'}
            {isSpeaker && ', who speaks'}
          </span>
        ))}
        {leftOut.length > 0 && <span>left out: {leftOut.join(', ')}</span>}
        {dates.map(({ from, to }) => (
          <span key={from}>
            {formatMoment(from)} to {formatMoment(to)}
          </span>
        ))}
      </div>
    </>
  )
}
