import classes from './rating-dots.module.css'

const places = [1, 2, 3, 4, 5]
/** Fewer are usual or less, so they don't stand out. */
const high = 4

/** Importance or confidence, 1 to 5. */
export function RatingDots({ value, what }: { value: number; what: string }) {
  const text = `${what} ${value} of 5`
  return (
    <span className={classes.dots} data-high={value >= high} role="img" aria-label={text} title={text}>
      {places.map((place) => (
        <span key={place} className={`${classes.dot} ${place <= value ? classes.full : ''}`} />
      ))}
    </span>
  )
}

const degrees = {
  Importance: ['Trivial', 'Minor', 'Normal', 'Important', 'Vital'],
  Confidence: ['A guess', 'Doubtful', 'Normal', 'Likely', 'Certain'],
} as const

/** The options of a rating field, highest first. */
export const ratingOptions = (what: keyof typeof degrees) =>
  places.map((place) => ({ value: String(place), label: `${place} · ${degrees[what][place - 1]}` })).toReversed()
