import type { Details } from './lab-state.ts'
import classes from './search-page.module.css'

const parts = [
  { name: 'meaning', style: classes.meaning, title: 'Meaning' },
  { name: 'words', style: classes.words, title: 'Words' },
  { name: 'links', style: classes.links, title: 'Links' },
  { name: 'bonus', style: classes.bonus, title: 'Age and importance' },
] as const

/** The parts of a score: the three lists, and the bonus for age and importance. */
export function ScoreBar({ details, score, best }: { details: Details; score: number; best: number }) {
  const { semanticPart, blindPart, lent, rrf } = details
  // What lowers the score lowers all parts, so that the bar is as long as the score.
  const left = score < rrf ? score / rrf : 1
  const shares = {
    meaning: semanticPart * left,
    words: blindPart * left,
    links: lent * left,
    bonus: Math.max(0, score - rrf),
  }
  const text = parts.map(({ name, title }) => `${title} ${shares[name].toFixed(3)}`).join(', ')
  return (
    <div className={classes.bar} role="img" aria-label={`Score ${score.toFixed(3)}: ${text}`}>
      {parts.map(({ name, style }) =>
        shares[name] > 0 ? (
          <span key={name} className={style} style={{ width: `${(shares[name] / best) * 100}%` }} />
        ) : null,
      )}
    </div>
  )
}

export function ScoreLegend() {
  return (
    <div className={classes.legend} aria-hidden>
      {parts.map(({ name, style, title }) => (
        <span key={name}>
          <span className={`${classes.key} ${style}`} />
          {title}
        </span>
      ))}
      <span className={classes.scoreHead}>Score</span>
    </div>
  )
}
