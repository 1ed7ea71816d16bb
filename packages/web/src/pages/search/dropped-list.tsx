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

/** Items that the search dropped, and why. What most of them have in common is said once. */
export function DroppedList({ dropped, hits, records }: Props) {
  const below = dropped.filter(({ stage }) => stage === 'threshold')
  const isGrouped = below.length > 1
  const rowOf = (item: Dropped) => (
    <DroppedRow
      key={item.id}
      item={item}
      record={records.get(item.id)}
      reason={isGrouped && item.stage === 'threshold' ? undefined : explainDrop(item, hits, records)}
    />
  )
  if (!isGrouped) return <ul className={classes.hits}>{dropped.map(rowOf)}</ul>
  const others = dropped.filter(({ stage }) => stage !== 'threshold')
  return (
    <>
      {others.length > 0 && <ul className={classes.hits}>{others.map(rowOf)}</ul>}
      <Text fw={600} mt={others.length > 0 ? 'lg' : 0}>
        {titleOfStage('threshold')}
      </Text>
      <Text size="sm" c="dimmed">
        Neither words nor links of the query lead to these.
      </Text>
      <ul className={classes.hits}>{below.map(rowOf)}</ul>
    </>
  )
}

/** `reason`: undefined if the heading of the group says it. */
function DroppedRow({
  item: { id, stage, similarity, scoreDetails },
  record,
  reason,
}: {
  item: Dropped
  record: Found | undefined
  reason: string | undefined
}) {
  const title = titleOfStage(stage)
  return (
    <li className={classes.dropped}>
      <FoundTitle id={id} record={record} />
      {reason === undefined && <span className={classes.score}>{similarity?.toFixed(3)}</span>}
      <div className={classes.parts}>
        {reason !== undefined && <StateBadge tone="off">{title}</StateBadge>}
        {reason !== undefined && reason !== title && <span>{reason}</span>}
        {similarity !== null && stage !== 'threshold' && <span>Similarity {similarity.toFixed(2)}</span>}
        {scoreDetails !== null && <span>{describeRanks(scoreDetails).join(', ')}</span>}
      </div>
    </li>
  )
}
