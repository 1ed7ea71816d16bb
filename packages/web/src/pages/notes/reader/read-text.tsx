import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { createContext, useContext, useMemo, type RefObject } from 'react'
import { NoteLinksContext } from '../../../components/text/markdown.tsx'
import type { LinkTarget } from '../editor/link-at.ts'
import { memoryIdIn, readWikiTarget, titleKey } from '../editor/wiki-target.ts'
import { noteSearch } from '../note-filter.ts'
import type { OpenNoteProps, TextHandle } from '../open-note.ts'
import { NoteReader } from './note-reader.tsx'
import classes from './note-reader.module.css'

interface Props extends OpenNoteProps {
  body: string
  text: RefObject<TextHandle | null>
  onOpenTarget: (target: LinkTarget) => void
}

interface Targets {
  /** The notes that the text links to, by the key of their title. */
  ids: ReadonlyMap<string, string>
  onOpen: (target: LinkTarget) => void
}

const TargetsContext = createContext<Targets>({ ids: new Map(), onOpen: () => {} })

/** The reading view, whose links and tags lead to notes, memories and lists. */
export function ReadText({ body, text, links, onOpenTarget }: Props) {
  const targets = useMemo(
    () => ({ ids: new Map(links.map(({ noteId, title }) => [titleKey(title), noteId])), onOpen: onOpenTarget }),
    // oxlint-disable-next-line react/exhaustive-deps -- a new function does the same, and the text may have thousands of links
    [links],
  )
  return (
    <NoteLinksContext value={noteLinks}>
      <TargetsContext value={targets}>
        <NoteReader body={body} ref={text} />
      </TargetsContext>
    </NoteLinksContext>
  )
}

const noteLinks = { Wiki: WikiLink, Tag: TagLink }

type Search = Readonly<Record<string, unknown>>

function WikiLink({ target, text }: { target: string; text: string }) {
  const { ids, onOpen } = useContext(TargetsContext)
  const { title, heading } = readWikiTarget(target)
  const memoryId = memoryIdIn(title)
  const noteId = ids.get(titleKey(title))
  const look = { inherit: true, underline: 'always' } as const
  if (memoryId !== undefined)
    return (
      <Anchor {...look} renderRoot={(props) => <Link {...props} to={`/memories/${memoryId}`} />}>
        {text}
      </Anchor>
    )
  if (noteId === undefined)
    return (
      <Anchor
        {...look}
        component="button"
        type="button"
        className={classes.missing}
        title="Not created yet"
        onClick={() => onOpen({ kind: 'note', title, heading })}
      >
        {text}
      </Anchor>
    )
  const search = (before: Search) => ({ ...noteSearch(before), ...(heading !== undefined && { heading }) })
  return (
    <Anchor {...look} renderRoot={(props) => <Link {...props} to={`/notes/${noteId}`} search={search} />}>
      {text}
    </Anchor>
  )
}

/** `text`: with its `#`. */
function TagLink({ text }: { text: string }) {
  const { onOpen } = useContext(TargetsContext)
  const tag = text.slice(1)
  return (
    <button
      type="button"
      className={classes.tag}
      aria-label={`Notes with the tag ${tag}`}
      onClick={() => onOpen({ kind: 'tag', tag })}
    >
      {text}
    </button>
  )
}
