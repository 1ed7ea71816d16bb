/* oxlint-disable react/no-array-index-key -- parts of a text have no other identity than their place */
import { Anchor } from '@mantine/core'
import { createContext, useContext, useMemo, type ComponentType, type ReactNode } from 'react'
import classes from './markdown.module.css'
import { readMarkdown, type Block, type Inline } from './read-markdown.ts'

/** Renders Markdown as React elements. The text is never markup for the page, loads nothing, and its links send no referrer. */
export function Markdown({ text, hasLinks = true }: Props) {
  const blocks = useMemo(() => readMarkdown(text), [text])
  return (
    <LinkedContext value={hasLinks}>
      <div className={classes.text}>{showBlocks(blocks)}</div>
    </LinkedContext>
  )
}

interface Props {
  text: string
  /** false: links are text that says where they lead. */
  hasLinks?: boolean
}

const LinkedContext = createContext(true)

/** Shows links to notes and tags where they lead somewhere. Elsewhere they are plain text. */
interface NoteLinks {
  /** `target`: what the link names, such as `Title#Heading`. */
  Wiki: ComponentType<{ target: string; text: string }>
  Tag: ComponentType<{ text: string }>
}

export const NoteLinksContext = createContext<NoteLinks | undefined>(undefined)

export const showBlocks = (blocks: readonly Block[]): ReactNode =>
  blocks.map((block, at) => <ShownBlock key={at} block={block} />)

function ShownBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading': {
      // The page and the record use levels 1 and 2.
      const Heading = `h${Math.min(6, block.level + 2)}` as 'h3' | 'h4' | 'h5' | 'h6'
      return <Heading>{showParts(block.parts)}</Heading>
    }
    case 'paragraph':
      return <p>{showParts(block.parts)}</p>
    case 'code':
      return (
        // Focusable, so keyboard users can scroll it.
        <pre tabIndex={0} role="group" aria-label="Code">
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return <blockquote>{showBlocks(block.blocks)}</blockquote>
    case 'list':
      return <ShownList list={block} />
    case 'table':
      return <ShownTable table={block} />
    case 'rule':
      return <hr />
  }
}

function ShownList({ list: { isOrdered, start, items } }: { list: Extract<Block, { kind: 'list' }> }) {
  const shown = items.map(({ isDone, blocks }, at) => (
    <li key={at} className={isDone === undefined ? undefined : classes.task}>
      {isDone !== undefined && <span aria-label={isDone ? 'done' : 'to do'}>{isDone ? '☑ ' : '☐ '}</span>}
      {blocks.length === 1 && blocks[0]?.kind === 'paragraph' ? showParts(blocks[0].parts) : showBlocks(blocks)}
    </li>
  ))
  return isOrdered ? <ol start={start}>{shown}</ol> : <ul>{shown}</ul>
}

function ShownTable({ table: { heads, rows } }: { table: Extract<Block, { kind: 'table' }> }) {
  return (
    <div className={classes.tableBox} tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={at} scope="col">
                {showParts(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{showParts(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const showParts = (parts: readonly Inline[]): ReactNode =>
  parts.map((part, at) => <ShownPart key={at} part={part} />)

function ShownPart({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code>{part.text}</code>
    case 'strong':
      return <strong>{showParts(part.parts)}</strong>
    case 'emphasis':
      return <em>{showParts(part.parts)}</em>
    case 'strike':
      return <s>{showParts(part.parts)}</s>
    case 'link':
      return <ShownLink link={part} />
    case 'image':
      return <span className={classes.image}>[image: {part.alt === '' ? 'without a description' : part.alt}]</span>
    case 'break':
      return <br />
    case 'wiki':
    case 'tag':
      return <ShownNoteLink part={part} />
  }
}

function ShownLink({ link: { href, parts } }: { link: Extract<Inline, { kind: 'link' }> }) {
  const [only, ...others] = parts
  if (!useContext(LinkedContext)) {
    const isBare = others.length === 0 && only?.kind === 'text' && only.text === href
    return isBare ? (
      href
    ) : (
      <>
        [{showParts(parts)}]({href})
      </>
    )
  }
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" inherit underline="always">
      {showParts(parts)}
    </Anchor>
  )
}

function ShownNoteLink({ part }: { part: Extract<Inline, { kind: 'wiki' | 'tag' }> }) {
  const links = useContext(NoteLinksContext)
  if (part.kind === 'tag') return links === undefined ? part.text : <links.Tag text={part.text} />
  if (links === undefined) return <span className={classes.wiki}>{part.text}</span>
  return <links.Wiki target={part.target} text={part.text} />
}
