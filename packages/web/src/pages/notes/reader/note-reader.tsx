/* oxlint-disable react/no-array-index-key -- parts of a text have no other identity than their place */
import { memo, startTransition, useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react'
import { showBlocks, showParts } from '../../../components/text/markdown.tsx'
import markdown from '../../../components/text/markdown.module.css'
import type { TextHandle } from '../open-note.ts'
import classes from './note-reader.module.css'
import { firstChunks, readChunks, type Chunk, type ShownBlock } from './read-chunks.ts'

interface Props {
  body: string
  ref: Ref<TextHandle>
}

/** The text of a note, formatted. Long texts appear from the top on, and parts that are out of view cost no layout. */
export function NoteReader({ body, ref }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const { chunks, isAll } = useChunks(body)
  const [goal, setGoal] = useState<number>()
  useImperativeHandle(
    ref,
    () => ({ focus: () => frame.current?.focus(), goTo: setGoal, top: () => topOf(frame.current) }),
    [],
  )
  useEffect(() => {
    if (goal === undefined || frame.current === null) return
    if ((chunks.length === 0 && !isAll) || !showPlace(frame.current, goal, isAll)) return
    setGoal(undefined)
  }, [goal, chunks, isAll])
  return (
    <div ref={frame} tabIndex={-1} className={`${markdown.text} ${classes.text}`} data-whole={isAll}>
      {chunks.map((chunk, at) => (
        <ShownChunk key={at} chunk={chunk} />
      ))}
    </div>
  )
}

function useChunks(body: string): { chunks: readonly Chunk[]; isAll: boolean } {
  const first = useMemo(() => firstChunks(body), [body])
  const [read, setRead] = useState<{ body: string; chunks: readonly Chunk[]; isAll: boolean }>()
  useEffect(() => {
    if (first.isAll) return
    const stop = new AbortController()
    void readChunks(body, stop.signal, (chunks, isAll) => startTransition(() => setRead({ body, chunks, isAll })))
    return () => stop.abort()
  }, [body, first])
  const isLater = read?.body === body && (read.isAll || read.chunks.length > first.chunks.length)
  return isLater ? read : first
}

const ShownChunk = memo(({ chunk }: { chunk: Chunk }) => (
  <div className={classes.chunk}>
    {chunk.map((shown, at) => (
      <Shown key={at} {...shown} />
    ))}
  </div>
))

function Shown({ block, level }: ShownBlock) {
  if (block.kind !== 'heading') return showBlocks([block])
  const Heading = `h${level}` as 'h2' | 'h3' | 'h4' | 'h5' | 'h6'
  return (
    <Heading tabIndex={-1} className={classes.heading} data-from={block.from} data-level={block.level}>
      {showParts(block.parts)}
    </Heading>
  )
}

/** Where a heading is after scrolling to it, and a little more (`scroll-padding` in theme.css). */
const headPx = 100

const headingsIn = (frame: HTMLElement) => [...frame.querySelectorAll<HTMLElement>('[data-from]')]

/** Scrolls to the last heading at or before a place. Returns false if a long text may still get it. */
function showPlace(frame: HTMLElement, place: number, isAll: boolean): boolean {
  const headings = headingsIn(frame)
  const found = headings.findLast(({ dataset }) => Number(dataset['from']) <= place)
  if (!isAll && found === headings.at(-1)) return false
  found?.scrollIntoView({ block: 'start' })
  ;(found ?? frame).focus({ preventScroll: true })
  return true
}

/** The place of the heading at the top of the screen, or of the last one above it; 0 if there is none. */
function topOf(frame: HTMLElement | null): number {
  if (frame === null || frame.getBoundingClientRect().top > 0) return 0
  const found = headingsIn(frame).findLast((heading) => heading.getBoundingClientRect().top < headPx)
  return Number(found?.dataset['from'] ?? 0)
}
