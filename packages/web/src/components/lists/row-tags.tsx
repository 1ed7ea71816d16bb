import { Tag } from 'lucide-react'
import classes from './record-rows.module.css'

/** The number of entities, at the end of a title's line. All rows show them in the same way, however long their titles are. */
export function RowTags({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const all = names.join(', ')
  return (
    <span className={classes.tags} title={all}>
      <Tag size={12} aria-label={`Entities: ${all}`} />
      {names.length}
    </span>
  )
}
