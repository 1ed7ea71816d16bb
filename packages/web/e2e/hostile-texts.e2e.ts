import { hostileTexts } from '@holdfast/transfer/testing/hostile-texts'
import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

/** The maximum length of a note and a memory, with room for the markup around them. */
const [noteSize, memorySize] = [480_000, 90_000]

const ofNotes = [
  'spaces in a heading',
  'short rows below many columns',
  'closed brackets',
  'links to one title',
  'links that are not closed',
  'runs of backticks, each of another length',
  'marks of quotes',
  'lists that go in and out',
  'headings',
  'marks of tags',
  'tags of a page',
]
const ofMemories = [
  'spaces in a heading',
  'spaces in the rule of a table',
  'short rows below many columns',
  'emphasis that is not closed',
  'headings',
]

describeDashboard('texts made to block a page', {}, (dashboard) => {
  const leave = async () => {
    const { page } = dashboard()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
  }
  const made = (kind: string, size: number) => hostileTexts[kind]?.(size).slice(0, size + 1_000) ?? ''

  it.each(ofNotes)('are written in and left in a note: %s', async (kind) => {
    const { page, agent, open } = dashboard()
    const { noteId } = await agent('create-note', { title: kind, content: made(kind, noteSize) })
    await open(`/notes/${String(noteId)}`)
    await page.locator('[data-whole="true"]').waitFor({ timeout: 60_000 })
    await page.keyboard.press('e')
    const text = page.getByRole('textbox', { name: 'Text of the note' })
    await text.waitFor()
    await text.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('written ')
    await page.keyboard.press('Control+s')
    await expect
      .poll(
        async () => {
          const { note } = (await agent('read-note', { noteId })) as { note: { content: string } }
          return note.content.slice(0, 8)
        },
        { timeout: 60_000 },
      )
      .toBe('written ')
    await leave()
  })

  it.each(ofMemories)('are read and left in a memory: %s', async (kind) => {
    const { page, agent, open } = dashboard()
    const { memoryId } = await agent('write-memory', { content: made(kind, memorySize) })
    await open(`/memories/${String(memoryId)}`)
    const opened = page.getByRole('region', { name: 'Memory', exact: true })
    await opened.getByRole('button', { name: 'Edit' }).first().waitFor()
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
    await leave()
  })

  it('a text is formatted as Markdown only while it is short enough', async () => {
    const { page, agent, open } = dashboard()
    const { noteId } = await agent('create-note', { title: 'Plain', content: '# Heading\n\n#tag' })
    await open(`/notes/${String(noteId)}?view=edit`)
    const heading = page.locator('.cm-heading-1')
    await heading.waitFor()
    await page.getByRole('textbox', { name: 'Text of the note' }).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('> '.repeat(100))
    const note = page.getByText('This note is too large to format')
    await note.waitFor()
    await heading.waitFor({ state: 'detached' })
    await examine(dashboard(), 'note-unformatted')
    await page.getByRole('textbox', { name: 'Text of the note' }).focus()
    await page.keyboard.press('Control+z')
    await heading.waitFor()
    await note.waitFor({ state: 'detached' })
  })
})
