import { ActionIcon, Button, Slider, Text, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ChevronLeft, ChevronRight, Pause, Play, type LucideIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { countOf, formatCount, formatDay, formatMoment } from '../../components/text/time-text.ts'
import { storedBy, type Shown } from './graph-model.ts'
import classes from './graph-page.module.css'

/** A slider that shows the graph as of an earlier time, and can play through its history. */

const steps = 60
const stepMs = 180
const dayMs = 86_400_000

export interface Timeline {
  /** When the first and the last node were created; undefined if at the same time. */
  range: { first: number; last: number } | undefined
  /** From 0 to `steps`. */
  step: number
  setStep: (step: number) => void
  /** The number of visible nodes, out of `of`. */
  count: number
  of: number
}

/** The nodes and links of `shown` that existed at the chosen time. */
export function useTimeline(shown: Shown): { visible: Shown; timeline: Timeline } {
  const [step, setStep] = useState(steps)
  const range = useMemo(() => rangeOf(shown), [shown])
  const atMs = range === undefined || step >= steps ? undefined : momentAt(range, step)
  const visible = useMemo(() => (atMs === undefined ? shown : storedBy(shown, atMs)), [shown, atMs])
  return { visible, timeline: { range, step, setStep, count: visible.nodes.size, of: shown.nodes.size } }
}

function rangeOf({ nodes }: Shown): Timeline['range'] {
  let [first, last] = [Infinity, -Infinity]
  for (const { createdAt } of nodes.values()) {
    const at = Date.parse(createdAt)
    first = Math.min(first, at)
    last = Math.max(last, at)
  }
  return first < last ? { first, last } : undefined
}

const momentAt = ({ first, last }: NonNullable<Timeline['range']>, step: number) =>
  first + ((last - first) * step) / steps

export function TimeBar({ range, step, setStep, count, of }: Timeline) {
  const isStill = useMediaQuery(
    '(prefers-reduced-motion: reduce)',
    matchMedia('(prefers-reduced-motion: reduce)').matches,
  )
  const [isPlaying, setPlaying] = useState(false)
  const advance = useEffectEvent(() => {
    if (step + 1 >= steps) setPlaying(false)
    setStep(Math.min(steps, step + 1))
  })
  useEffect(() => {
    if (!isPlaying) return undefined
    const timer = setInterval(() => advance(), stepMs)
    return () => clearInterval(timer)
  }, [isPlaying])
  if (range === undefined) return null
  const isShort = range.last - range.first < 2 * dayMs
  const textAt = (each: number) => {
    const iso = new Date(momentAt(range, each)).toISOString()
    return isShort ? formatMoment(iso) : formatDay(iso)
  }
  const play = () => {
    if (!isPlaying && step >= steps) setStep(0)
    setPlaying(!isPlaying)
  }
  return (
    <div className={classes.time} role="group" aria-label="Graph over time">
      {isStill ? (
        <>
          <Step label="Earlier" icon={ChevronLeft} isOff={step <= 0} onClick={() => setStep(step - 1)} />
          <Step label="Later" icon={ChevronRight} isOff={step >= steps} onClick={() => setStep(step + 1)} />
        </>
      ) : (
        <Step
          label={isPlaying ? 'Pause' : 'Play history'}
          icon={isPlaying ? Pause : Play}
          isOff={false}
          onClick={play}
        />
      )}
      <Text size="xs" c="dimmed">
        {textAt(0)}
      </Text>
      <Slider
        className={classes.timeSlider}
        size="sm"
        min={0}
        max={steps}
        value={step}
        onChange={(next) => {
          setPlaying(false)
          setStep(next)
        }}
        label={null}
        thumbLabel="As of"
        thumbProps={{ 'aria-valuetext': step >= steps ? 'now' : textAt(step) }}
      />
      <Text size="xs" c="dimmed" className={classes.timeText} data-now={step >= steps}>
        {step >= steps ? 'Now' : `As of ${textAt(step)}: ${formatCount(count)} of ${countOf(of, 'node')}`}
      </Text>
      {step < steps && (
        <Button variant="default" size="compact-xs" onClick={() => setStep(steps)}>
          Show all
        </Button>
      )}
    </div>
  )
}

interface StepProps {
  label: string
  icon: LucideIcon
  isOff: boolean
  onClick: () => void
}

const Step = ({ label, icon: Icon, isOff, onClick }: StepProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" size={32} aria-label={label} disabled={isOff} onClick={onClick}>
      <Icon size={16} />
    </ActionIcon>
  </Tooltip>
)
