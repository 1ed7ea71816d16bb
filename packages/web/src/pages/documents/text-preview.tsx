import type { PersonsDocument } from '@holdfast/client/dashboard'
import type { ReactNode } from 'react'
import { Markdown } from '../../components/text/markdown.tsx'
import classes from './documents-page.module.css'

interface Props {
  title: ReactNode
  /** Text for all vaults that comes before it. */
  before?: string | null
  text: string
}

/** Rendered Markdown, shown next to the editor. */
export function TextPreview({ title, before = null, text }: Props) {
  return (
    <div className={classes.side}>
      <h2 className={classes.sideTitle}>{title}</h2>
      <div className={classes.preview}>
        {before !== null && (
          <section className={classes.before} aria-label="For all vaults">
            <h2 className={classes.sideTitle}>For all vaults</h2>
            <Markdown text={before} />
          </section>
        )}
        <Markdown text={text} />
      </div>
    </div>
  )
}

/** What agents would read after saving. */
export function VaultPreview({ document, text }: { document: PersonsDocument; text: string }) {
  const { inheritMode, inheritedContent, template } = document
  const inherited = inheritMode === 'none' ? null : inheritedContent
  if (text === '' && inherited !== null)
    return (
      <TextPreview
        title={
          inheritMode === 'merge'
            ? 'Your text for all vaults, which comes before this one'
            : 'Your text for all vaults, used until you write one here'
        }
        text={inherited}
      />
    )
  if (text === '') return <TextPreview title="Built-in text, used until you write your own" text={template} />
  if (inherited === null || inheritMode === 'inherit') return <TextPreview title="Preview" text={text} />
  return <TextPreview title="Preview of what agents read" before={inherited} text={text} />
}
