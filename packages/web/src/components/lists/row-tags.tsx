import { Tag } from 'lucide-react'
import { useCallback, useState } from 'react'
import { EntityChip } from '../records/entity-chip.tsx'
import classes from './record-rows.module.css'

const mostShown = 2

/** One observer for all rows, because a list has dozens of them. */
let observer: ResizeObserver | undefined
const measures = new WeakMap<Element, () => void>()

function observe(box: Element, measure: () => void): () => void {
  observer ??= new ResizeObserver((changes) => {
    for (const { target } of changes) measures.get(target)?.()
  })
  measures.set(box, measure)
  observer.observe(box)
  return () => observer?.unobserve(box)
}

/** Entities, in the line of a title. */
export const RowTags = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? null : <Tags key={names.join('\n')} names={names} />

/** As many as there is room for. The others are counted, and can't be reached with the keyboard while no one sees them. */
function Tags({ names }: { names: readonly string[] }) {
  const [fitting, setFitting] = useState(mostShown)
  const measured = useCallback((box: HTMLElement | null) => {
    if (box === null) return undefined
    return observe(box, () => {
      const { bottom } = box.getBoundingClientRect()
      setFitting([...box.children].filter((chip) => chip.getBoundingClientRect().bottom <= bottom + 1).length)
    })
  }, [])
  const rest = names.slice(Math.min(fitting, mostShown))
  return (
    <span className={classes.tags}>
      <span ref={measured} className={classes.fitting}>
        {names.slice(0, mostShown).map((name, at) => (
          <span key={name} className={classes.tag} data-hidden={at >= fitting || undefined}>
            <EntityChip name={name} />
          </span>
        ))}
      </span>
      <span className={classes.rest} title={rest.join(', ')}>
        {fitting === 0 && <Tag size={12} aria-label="Entities:" />}
        {rest.length > 0 && (fitting === 0 ? rest.length : `+${rest.length}`)}
      </span>
    </span>
  )
}
