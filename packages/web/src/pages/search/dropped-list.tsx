import { Text } from '@mantine/core'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { describeRanks, titleOfStage } from './describe-rank.ts'
import { explainDrop } from './explain-hit.ts'
import { FoundTitle } from './found-title.tsx'
import type { Answer, Dropped, Found } from './lab-state.ts'
import classes from './search-page.module.css'

interface Props {
  dropped: readonly Dropped[]
  hits: Answer['hits']
  records: ReadonlyMap<string, Found>
}

/** Items that the search dropped, and why. */
export function DroppedList({ dropped, hits, records }: Props) {
  return (
    <ul className={classes.hits}>
      {dropped.map((item) => (
        <DroppedRow key={item.id} item={item} record={records.get(item.id)} reason={explainDrop(item, hits, records)} />
      ))}
    </ul>
  )
}

function DroppedRow({
  item: { id, stage, similarity, scoreDetails },
  record,
  reason,
}: {
  item: Dropped
  record: Found | undefined
  reason: string
}) {
  return (
    <li className={classes.hit}>
      <span aria-hidden className={classes.place}>
        –
      </span>
      <FoundTitle id={id} record={record} />
      <StateBadge tone="off">{titleOfStage(stage)}</StateBadge>
      <div className={classes.under}>
        <Text size="sm">{reason}</Text>
        <div className={classes.parts}>
          {similarity !== null && stage !== 'threshold' && <span>similarity {similarity.toFixed(2)}</span>}
          {scoreDetails !== null && <span>{describeRanks(scoreDetails).join(', ')}</span>}
        </div>
      </div>
    </li>
  )
}
