import axe from 'axe-core'
import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

const days = Array.from({ length: 200 }, (_, at) => `## Day ${at + 1}\n\nThe boat was on time, said the *pilot*.`).join(
  '\n\n',
)
const diary = `---
status: draft
checked: false
people: [Ada, Olaf]
source:
  ship: Aurora
---
# Harbour diary

Kept with the [[Crew list]], and one day with a [[Tide table]]. #harbour

- [x] Lights
- [ ] Ropes

${days}`

describeDashboard('the views of notes', {}, (dashboard) => {
  const ids = new Map<string, string>()
  const idOf = (title: string) => ids.get(title) ?? ''
  const write = async (title: string, content: string) => {
    const { noteId } = (await dashboard().agent('create-note', { title, content })) as { noteId: string }
    ids.set(title, noteId)
  }
  const stored = async (title: string) =>
    (await dashboard().agent('read-note', { noteId: idOf(title) }))['note'] as {
      title: string
      content: string
      tags: string[]
    }
  const text = () => dashboard().page.getByRole('textbox', { name: 'Text of the note' })
  const saved = () => dashboard().page.locator('[data-save="saved"]').waitFor()
  const heading = (name: string) => dashboard().page.getByRole('heading', { name, exact: true })
  const separator = (name: string) => dashboard().page.getByRole('separator', { name })
  const openNote = async (title: string, search = '') => {
    await dashboard().open(`/notes/${idOf(title)}${search}`)
    await heading(title).first().waitFor()
  }
  /** All rules, best practices included, of what the page shows in `main`. */
  const violations = async () => {
    await dashboard().page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
    await dashboard().page.evaluate(axe.source)
    return dashboard().page.evaluate(async () => {
      const { axe: tool } = globalThis as unknown as {
        axe: { run(where: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      const found = await tool.run('main')
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      )
    })
  }

  it('are panes whose widths are set by mouse or keyboard, and remembered', async () => {
    const { page } = dashboard()
    await write('Harbour diary', diary)
    await write('Crew list', '# Crew list\n\nAda and Olaf.')
    await write('Boats', 'Two of them.')
    await openNote('Boats', '?view=edit')
    await text().waitFor()
    // The text needs their room in a window of this width.
    await page.getByRole('button', { name: 'Show note details' }).click()
    const width = async (name: string) => Number(await separator(name).getAttribute('aria-valuenow'))
    const before = await width('Width of folders')
    await separator('Width of folders').focus()
    await page.keyboard.press('ArrowRight')
    expect(await width('Width of folders')).toBe(before + 16)
    const box = await separator('Width of note list').boundingBox()
    if (box === null) throw new Error('The separator isn’t visible')
    const listBefore = await width('Width of note list')
    await page.mouse.move(box.x + box.width / 2, 300)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 40, 320, { steps: 4 })
    await page.mouse.up()
    expect(await width('Width of note list')).toBe(listBefore + 40)
    await separator('Width of note details').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Outline' }).waitFor({ state: 'detached' })
    await page.reload()
    await text().waitFor()
    expect([
      await width('Width of folders'),
      await width('Width of note list'),
      await width('Width of note details'),
    ]).toEqual([before + 16, listBefore + 40, 0])
    await page.getByRole('button', { name: 'Show note details' }).click()
    await page.getByRole('tab', { name: 'Outline' }).waitFor()
    await page.getByRole('button', { name: 'Hide folders' }).click()
    await page.getByRole('treeitem', { name: 'All notes' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show folders' }).click()
    await page.getByRole('treeitem', { name: 'All notes' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0)
    expect(await violations()).toEqual([])
    await dashboard().open('/notes')
    await page.getByText('Select a note to read it.').waitFor()
    await examine(dashboard(), 'notes-panes')
    expect(await violations()).toEqual([])
  })

  it('open for reading, and switch to the editor at the same place', async () => {
    const { page } = dashboard()
    await openNote('Harbour diary')
    await page.locator('[data-whole="true"]').waitFor()
    expect(await text().count()).toBe(0)
    expect(await heading('Harbour diary').count()).toBe(1)
    expect(await heading('Day 1').evaluate(({ tagName }) => tagName)).toBe('H2')
    await examine(dashboard(), 'note-reading')
    expect(await violations()).toEqual([])
    await page.getByRole('navigation', { name: 'Headings' }).getByRole('button', { name: 'Day 90' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Day 90')
    await page.keyboard.press('Control+e')
    await text().getByText('Day 90').waitFor()
    await expect.poll(() => text().evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await page.locator('.cm-content .cm-heading-1').count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('Foggy. ')
    await page.keyboard.press('Control+e')
    await heading('Day 90').waitFor()
    await expect.poll(() => heading('Day 90').evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(450)
    await saved()
    const { content } = await stored('Harbour diary')
    expect(content).toContain('Foggy. ')
    expect(content.startsWith('---\nstatus: draft\n')).toBe(true)
    await page.keyboard.press('Control+Home')
    await page.getByRole('radiogroup').getByText('Edit', { exact: true }).click()
    await text().waitFor()
    await examine(dashboard(), 'note-editing')
    expect(await violations()).toEqual([])
  })

  it('follow links and tags in the reading view', async () => {
    const { page } = dashboard()
    await openNote('Harbour diary')
    const read = page.getByRole('article')
    await read.getByRole('link', { name: 'Crew list' }).click()
    await heading('Crew list').first().waitFor()
    await read.getByText('Ada and Olaf.').waitFor()
    await page.goBack()
    await read.getByRole('button', { name: 'Tide table' }).click()
    const form = page.getByRole('dialog', { name: 'New note' })
    await expect.poll(() => form.getByLabel('Title').inputValue()).toBe('Tide table')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await read.getByRole('button', { name: 'Notes with the tag harbour' }).click()
    await page.waitForURL(/tag=harbour/)
  })

  it('show front matter as properties, which can be changed one by one', async () => {
    const { page } = dashboard()
    const front = async () => (await stored('Harbour diary')).content.split('---')[1]
    await openNote('Harbour diary')
    const terms = page.getByRole('article').locator('dl')
    await expect
      .poll(() => terms.innerText())
      .toMatch(/status\s+draft\s+checked\s+No\s+people\s+Ada, Olaf\s+source\s+ship: Aurora/)
    await page.keyboard.press('e')
    const properties = page.getByRole('group', { name: 'Properties' })
    await properties.getByRole('textbox', { name: 'status' }).fill('ready: soon')
    await properties.getByRole('checkbox', { name: 'checked' }).check()
    await properties.getByRole('combobox', { name: 'people' }).fill('Ingrid')
    await page.keyboard.press('Enter')
    await properties.getByRole('button', { name: 'Add property' }).click()
    await page.keyboard.type('due')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('due')
    await page.keyboard.type('2026-12-01')
    await properties.getByRole('button', { name: 'Remove source' }).click()
    await saved()
    await expect
      .poll(front)
      .toBe('\nstatus: "ready: soon"\nchecked: true\npeople: [Ada, Olaf, Ingrid]\ndue: 2026-12-01\n')
    await properties.getByRole('button', { name: 'Edit as text' }).click()
    const yaml = properties.getByRole('textbox', { name: 'Properties as YAML' })
    await yaml.fill('status: ready\nnot a property')
    await properties.getByText('Write one property per line').waitFor()
    await yaml.fill('status: ready')
    await properties.getByRole('button', { name: 'Done' }).click()
    await saved()
    await expect.poll(front).toBe('\nstatus: ready\n')
    expect(await page.locator('.cm-content').getByText('status').count()).toBe(0)
    expect(await violations()).toEqual([])
  })

  it('show a title once, and keep the heading that repeats it when the note is renamed', async () => {
    const { page } = dashboard()
    await openNote('Crew list', '?view=edit')
    await text().getByText('Ada and Olaf.').waitFor()
    expect(await text().innerText()).not.toContain('Crew list')
    const row = page
      .getByRole('list', { name: 'Notes', exact: true })
      .getByRole('listitem')
      .filter({ hasText: 'Ada and Olaf.' })
    expect((await row.innerText()).match(/Crew list/g)).toHaveLength(1)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Crew')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog', { name: 'Rename note' })
      .getByRole('button', { name: 'Rename and update links' })
      .click()
    await expect.poll(async () => (await stored('Crew list')).content).toBe('# Crew\n\nAda and Olaf.')
    expect(await text().innerText()).not.toContain('Crew')
    ids.set('Crew', idOf('Crew list'))
  })

  it('are starred, remembered and kept as tabs', async () => {
    const { page } = dashboard()
    await openNote('Boats')
    await page.getByRole('article').focus()
    await page.keyboard.press('s')
    await expect.poll(async () => (await stored('Boats')).tags).toEqual(['starred'])
    await page.getByRole('treeitem', { name: 'Starred' }).click()
    const rows = page.getByRole('list', { name: 'Notes', exact: true }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(1)
    await rows.getByRole('img', { name: 'Starred' }).waitFor()
    await page.getByRole('treeitem', { name: 'Recent' }).click()
    await expect.poll(() => rows.first().innerText()).toContain('Boats')
    expect(await rows.nth(1).innerText()).toContain('Crew')
    const tabs = page.getByRole('navigation', { name: 'Open notes' })
    expect(await tabs.getByRole('link').count()).toBe(3)
    await tabs.getByRole('link', { name: 'Harbour diary' }).click()
    await heading('Harbour diary').waitFor()
    await page.getByRole('button', { name: 'Close Harbour diary' }).click()
    await heading('Crew').first().waitFor()
    expect(await tabs.getByRole('link').count()).toBe(2)
    await page.getByRole('button', { name: 'Star', exact: true }).click()
    await expect.poll(async () => (await stored('Crew')).tags).toEqual(['starred'])
    await page.getByRole('button', { name: 'Star', exact: true }).click()
    await expect.poll(async () => (await stored('Crew')).tags).toEqual([])
    await page.reload()
    await tabs.getByRole('link', { name: 'Boats' }).waitFor()
    await examine(dashboard(), 'note-tabs')
  })

  it('lose no text to Escape, a click elsewhere, another view, Back or a reload', async () => {
    const { page } = dashboard()
    const row = (name: string) => page.getByRole('list', { name: 'Notes', exact: true }).getByRole('link', { name })
    const ending = async (words: string) => {
      await expect.poll(async () => (await stored('Boats')).content).toContain(words)
    }
    await openNote('Boats', '?view=edit')
    await text().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Escaped.')
    // The first may only close the completions of what was typed.
    const escaped = async () => {
      await page.keyboard.press('Escape')
      return new URL(page.url()).pathname
    }
    await expect.poll(escaped).toMatch(/\/notes$/)
    await ending('Escaped.')
    await page.goBack()
    await text().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Clicked.')
    await page.getByRole('treeitem', { name: 'All notes' }).click()
    await row('Harbour diary').click()
    await ending('Clicked.')
    await page.goBack()
    await text().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Read.')
    await page.keyboard.press('Control+e')
    await page.getByRole('article').getByText('Read.').waitFor()
    await ending('Read.')
    await row('Harbour diary').click()
    await heading('Harbour diary').waitFor()
    await row('Boats').click()
    await heading('Boats').waitFor()
    await page.getByRole('textbox', { name: 'Title' }).fill('Small boats')
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => location.reload()))
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await page.goBack()
    await expect.poll(async () => (await stored('Boats')).title).toBe('Small boats')
  })

  it('open the largest note, whose text can be read to its end and edited', async () => {
    const { page } = dashboard()
    const paragraph = 'The ferry left at noon with [[Boats]] and *nobody* on board. '
    const part = (at: number) => `## Part ${at}\n\n${paragraph.repeat(12)}\n\n- [ ] One\n- Two`
    const parts = Array.from({ length: 1_000 }, (_, at) => part(at))
      .join('\n\n')
      .slice(0, 499_000)
    await write('Log', `${parts}\n\n## The end\n\nNothing more.`)
    await openNote('Log')
    await page.locator('[data-whole="true"]').waitFor({ timeout: 60_000 })
    await page
      .getByRole('navigation', { name: 'Headings' })
      .getByText(/^and \d+ more$/)
      .waitFor()
    await page.keyboard.press('Control+End')
    await page.getByRole('article').getByText('Nothing more.').waitFor()
    await page.keyboard.press('Control+e')
    await text().waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' But this.')
    await page.keyboard.press('Control+s')
    await expect.poll(async () => (await stored('Log')).content.slice(-10)).toBe(' But this.')
  })

  it('come one after the other on a phone, and fit a screen 320 px wide', async () => {
    const { page } = dashboard()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 320, height: 700 })
      await dashboard().open('/notes')
      await page.getByRole('button', { name: 'All notes' }).click()
      await page.getByRole('treeitem', { name: 'Recent' }).click()
      await page.getByRole('link', { name: 'Harbour diary' }).click()
      await page.locator('[data-whole="true"]').waitFor()
      expect(await page.getByRole('treeitem').count()).toBe(0)
      expect(await violations()).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await page.keyboard.press('e')
      await text().waitFor()
      expect(await violations()).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await page.getByRole('button', { name: 'All notes' }).click()
      await page.getByRole('button', { name: 'Recent' }).waitFor()
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('keep an unusual title while a person only looks at them', async () => {
    const { page } = dashboard()
    const changes: string[] = []
    const note = (request: Request) => {
      if (request.method() === 'PATCH') changes.push(request.url())
    }
    page.on('request', note)
    const title = 'Double  blank title '
    await write(title, 'Two spaces.')
    await dashboard().open(`/notes/${idOf(title)}`)
    await page.getByRole('article').getByText('Two spaces.').waitFor()
    await page.getByRole('textbox', { name: 'Title' }).focus()
    await page.getByRole('list', { name: 'Notes', exact: true }).getByRole('link', { name: 'Harbour diary' }).click()
    await heading('Harbour diary').waitFor()
    expect(changes).toEqual([])
    expect((await stored(title)).title).toBe(title)
    page.off('request', note)
  })
})
