import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './skeletons.module.css'

/** What stands for content while it loads, in its shape, so that little moves when it arrives. */

/** Lines of a text differ in length. */
const widths = ['62%', '48%', '70%', '54%', '40%', '66%']

const Bar = ({ width, height = 12 }: { width: number | string; height?: number }) => (
  <Skeleton width={width} height={height} radius="sm" />
)

const Loading = ({ gap, children }: { gap: number; children: ReactNode }) => (
  <Stack gap={gap} role="group" aria-busy="true" aria-label="Loading">
    {children}
  </Stack>
)

const repeat = (count: number, render: (at: number) => ReactNode) =>
  Array.from({ length: count }, (_, at) => render(at))

/** Rows of a list or a table. */
export const SkeletonList = ({ rows = 5 }: { rows?: number }) => (
  <Loading gap={0}>
    {repeat(rows, (at) => (
      <div key={at} className={classes.row}>
        <Bar width={widths[at % widths.length] ?? '60%'} />
        <Bar width={72} />
      </div>
    ))}
  </Loading>
)

/** Cards with a title and a few lines. */
export const SkeletonCards = ({ cards = 3 }: { cards?: number }) => (
  <Loading gap={16}>
    {repeat(cards, (at) => (
      <div key={at} className={classes.card}>
        <Bar width={widths[at % widths.length] ?? '60%'} height={14} />
        <Bar width="92%" />
        <Bar width="78%" />
      </div>
    ))}
  </Loading>
)

/** A record: its title, its text and what is known about it. */
export const SkeletonRecord = () => (
  <Loading gap={24}>
    <Bar width="56%" height={20} />
    <div className={classes.text}>
      {repeat(4, (at) => (
        <Bar key={at} width={at === 3 ? '45%' : '96%'} />
      ))}
    </div>
    <div className={classes.text}>
      {repeat(3, (at) => (
        <Bar key={at} width={['34%', '42%', '28%'][at] ?? '30%'} />
      ))}
    </div>
  </Loading>
)
