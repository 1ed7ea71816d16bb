import type { PersonsDocument } from '@holdfast/client/dashboard'
import type { ReactNode } from 'react'
import { Markdown } from '../../components/text/markdown.tsx'
import classes from './documents-page.module.css'

interface Props {
  title: ReactNode
  /** What comes before it, as the title says. */
  before?: string | null
  text: string
}

/** A text as Markdown, beside the field that it is written in. */
export function TextPreview({ title, before = null, text }: Props) {
  return (
    <div className={classes.side}>
      <div className={classes.sideTitle}>{title}</div>
      <div className={classes.preview}>
        {before !== null && (
          <section className={classes.before} aria-label="For all vaults">
            <div className={classes.sideTitle}>For all vaults</div>
            <Markdown text={before} />
          </section>
        )}
        <Markdown text={text} />
      </div>
    </div>
  )
}

/** What agents would read if the text were saved. */
export function VaultPreview({ document, text }: { document: PersonsDocument; text: string }) {
  const { inheritMode, inheritedContent, template } = document
  const inherited = inheritMode === 'none' ? null : inheritedContent
  if (text === '' && inherited !== null)
    return (
      <TextPreview
        title={
          inheritMode === 'merge'
            ? 'Yours for all vaults, which comes before what you write here'
            : 'Yours for all vaults, until this one has its own'
        }
        text={inherited}
      />
    )
  if (text === '') return <TextPreview title="As shipped, until you write it" text={template} />
  if (inherited === null || inheritMode === 'inherit') return <TextPreview title="Preview" text={text} />
  return <TextPreview title="Preview, as agents read it" before={inherited} text={text} />
}
