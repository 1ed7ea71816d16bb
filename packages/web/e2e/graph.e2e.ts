import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { rememberStories, type Remembered } from './remembered.ts'
import { intercept } from './intercept.ts'

/** Without entities, and with all nodes. */
const plain = '/graph?entities=false&unlinked=true'

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const overlaps = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Keeps the boxes of the names that the map's last frame drew. Runs in the page. */
function recordNames() {
  const drawnNames: Box[] = []
  Object.assign(globalThis, { drawnNames })
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype
  const isOfNames = ({ canvas }: CanvasRenderingContext2D) => canvas.className.includes('sigma-labels')
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    if (isOfNames(this)) drawnNames.length = 0
    clearRect.apply(this, area)
  }
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    if (isOfNames(this))
      drawnNames.push({ left: x, top: y - 9, right: x + this.measureText(text).width, bottom: y + 2 })
    fillText.call(this, text, x, y, ...rest)
  }
}

describeDashboard('the graph', {}, (dashboard) => {
  let remembered: Remembered | undefined
  const idOf = (beginning: string) => remembered?.idOf(beginning) ?? ''
  const canvas = () => dashboard().page.getByRole('application', { name: /^Graph of/ })
  const count = async (what: 'nodes' | 'edges') => Number(await canvas().getAttribute(`data-${what}`))
  const panel = () => dashboard().page.getByRole('complementary', { name: 'Node' })
  const settled = () => dashboard().page.locator('[data-settled="true"]').waitFor()
  const link = (sourceId: string, targetId: string, relationType: string, sourceType = 'memory') =>
    dashboard().agent('add-link', { sourceType, sourceId, targetType: 'memory', targetId, relationType })
  const said = () =>
    dashboard()
      .page.getByText(/, \d+ of \d+$/)
      .allTextContents()
  /** Moves through the nodes by keyboard until the named node is current and in the middle of the map. */
  const walkTo = async (name: string) => {
    const { page } = dashboard()
    const goIn = async () => {
      // If the keyboard is already in the graph, Enter opens the side panel.
      await canvas().blur()
      await canvas().focus()
      await page.keyboard.press('Enter')
    }
    await goIn()
    for (let steps = 0; steps < 40; steps++) {
      const [node] = await said()
      if (node?.includes(name) !== true) {
        await page.keyboard.press('Tab')
        // After the last node, Tab leaves the graph.
        if ((await said()).length === 0) await goIn()
        continue
      }
      // Two frames, so it has been drawn there.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      return
    }
    throw new Error(`No node with the name ${name}`)
  }

  const seed = async () => {
    const { agent } = dashboard()
    remembered = await rememberStories(dashboard())
    const deploying = idOf('# Deploying')
    const note = await agent('create-note', { title: 'Runbook', content: 'Everything starts with [[Ferries]].' })
    await agent('create-note', { title: 'Ferries', content: 'The fleet and its harbours.' })
    const task = await agent('create-task', { title: 'Repaint the bicycle prices', priority: 5 })
    await link(String(note['noteId']), deploying, 'source_of', 'note')
    await link(String(task['taskId']), idOf('The fare for bicycles'), 'derived_from')
    for (const beginning of ['Route 7', 'Nothing is released', 'The staging', 'To rebuild', 'The harbour master'])
      await link(deploying, idOf(beginning), 'part_of')
    await link(idOf('The fare for bicycles'), idOf('The harbour master'), 'references')
    await link(idOf('Passenger lists'), idOf('The staging'), 'refines')
  }

  it('explains itself while the vault is empty, then says how much it shows', async () => {
    const { page, open } = dashboard()
    await open('/graph')
    await page.getByText('Nothing to show yet.').waitFor()
    await examine(dashboard(), 'graph-none')
    await seed()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.waitForURL(/\/v\/[\w-]+$/)
    await page.keyboard.press('g')
    await page.keyboard.press('y')
    await settled()
    await page.getByText('16 of 19 records · 4 entities').waitFor()
    await page.getByRole('button', { name: 'Show 3 unlinked' }).waitFor()
    await expect.poll(() => count('edges')).toBe(21)
    expect(await count('nodes')).toBe(20)
    await examine(dashboard(), 'graph')
  })

  it('starts with the most connected records, and loads more on request', async () => {
    const { page, open } = dashboard()
    await open('/graph?count=5')
    await settled()
    await page.getByText('5 of 19 records').waitFor()
    await page.getByRole('button', { name: 'Load all' }).click()
    await page.getByText('16 of 19 records · 4 entities').waitFor()
    expect(await page.getByRole('button', { name: /^Load/ }).count()).toBe(0)
  })

  it('keeps what a person changed in the graph when more is loaded', async () => {
    const { page, open } = dashboard()
    await open('/graph?count=5')
    await settled()
    await walkTo('How the timetable is deployed')
    await page.keyboard.press('.')
    await page.getByRole('menuitem', { name: 'Hide' }).click()
    await page.getByRole('button', { name: 'Show 1 hidden' }).waitFor()
    await page.getByRole('button', { name: 'Load all' }).press('Enter')
    await page.getByRole('button', { name: /^Load/ }).waitFor({ state: 'detached' })
    const summary = page.getByRole('status').filter({ hasText: 'of 19 records' })
    await expect.poll(() => summary.evaluate((node) => node === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Show 1 hidden' }).click()
    await page.getByText('16 of 19 records · 4 entities').waitFor()
  })

  it('keeps the graph when loading more fails, and tries again', async () => {
    const { page, open } = dashboard()
    await open('/graph?count=5')
    await settled()
    await page.getByText('5 of 19 records').waitFor()
    await intercept(page, '**/api/graph?*', (route) => route.fulfill({ status: 429, json: { error: 'rate_limited' } }))
    await page.getByRole('button', { name: 'Load all' }).click()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByText('5 of 19 records').waitFor()
    expect(await canvas().isVisible()).toBe(true)
    await page.unroute('**/api/graph?*')
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('16 of 19 records · 4 entities').waitFor()
  })

  it('draws no name over another, or past the edge of the map', async () => {
    const { page, open } = dashboard()
    await page.addInitScript(recordNames)
    await open('/graph?unlinked=true')
    await settled()
    const names = () => page.evaluate(() => (globalThis as unknown as { drawnNames: Box[] }).drawnNames)
    const { width: widthPx = 0 } = (await canvas().boundingBox()) ?? {}
    for (const zooms of [0, 1, 2]) {
      for (let at = 0; at < zooms; at++) await page.getByRole('button', { name: 'Zoom in' }).click()
      await expect.poll(async () => (await names()).length).toBeGreaterThan(1)
      const drawn = await names()
      const over = drawn.flatMap((one, at) => drawn.slice(at + 1).filter((other) => overlaps(one, other)))
      expect(over).toEqual([])
      expect(drawn.filter(({ left, right }) => left < 0 || right > widthPx)).toEqual([])
    }
  })

  it('hides entities, and shows what is linked to nothing, on request', async () => {
    const { page, open } = dashboard()
    await open('/graph')
    await page.getByRole('button', { name: 'Show 3 unlinked' }).waitFor()
    await page.getByRole('button', { name: 'Show 3 unlinked' }).click()
    await expect.poll(() => count('nodes')).toBe(23)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('switch', { name: 'Entities' }).click()
    await expect.poll(() => count('nodes')).toBe(19)
    expect(await count('edges')).toBe(12)
    await page.getByRole('button', { name: /^Hide \d unlinked/ }).click()
    await expect.poll(() => count('nodes')).toBe(13)
    await page.getByRole('button', { name: 'Show 6 unlinked' }).waitFor()
    await page.reload()
    await expect.poll(() => count('nodes')).toBe(13)
  })

  it('explains why two nodes are linked', async () => {
    const { page, open } = dashboard()
    await open('/graph?view=table')
    const table = page.getByRole('table', { name: 'Links' })
    const explain = (relation: string) => table.getByRole('button', { name: `${relation}: explain this link` })
    const reason = page.getByRole('complementary', { name: 'Link' })
    await explain('contradicts').click()
    await reason.getByText('“the old fare”').waitFor()
    await reason.getByText(/^Added when one of them was written, .*\d/).waitFor()
    await examine(dashboard(), 'graph-reason')
    await explain('about').first().click()
    await reason.getByText('These are about it, too.').waitFor()
    await reason.getByText('is about', { exact: true }).waitFor()
  })

  it('opens the page of an entity, and shows all records about it', async () => {
    const { page, open } = dashboard()
    await open('/graph')
    await settled()
    await walkTo('Entity: timetable')
    await page.keyboard.press('Enter')
    await panel().getByRole('heading', { name: 'timetable' }).waitFor()
    await panel().getByRole('button', { name: 'How the timetable is deployed' }).waitFor()
    await panel().getByRole('link', { name: 'All about it' }).click()
    await page.getByRole('heading', { level: 1, name: 'timetable' }).waitFor()
    await open(plain)
    await settled()
    await expect.poll(() => count('nodes')).toBe(19)
  })

  it('is a single tab stop until Enter is pressed, and can be left again', async () => {
    const { page } = dashboard()
    const isFocused = () => canvas().evaluate((element) => element === document.activeElement)
    await canvas().focus()
    await page.keyboard.press('Tab')
    expect([await isFocused(), await said()]).toEqual([false, []])
    await page.keyboard.press('Shift+Tab')
    expect(await isFocused()).toBe(true)
    const steps = ['Enter', 'Tab', 'Tab', 'Shift+Tab', 'End', 'Home']
    const places: string[] = []
    for (const key of steps) {
      await page.keyboard.press(key)
      places.push(...(await said()).map((text) => text.replace(/^.*, /, '')))
    }
    expect(places).toEqual(['1 of 19', '2 of 19', '3 of 19', '2 of 19', '19 of 19', '1 of 19'])
    await page.keyboard.press('Escape')
    expect([await isFocused(), await said()]).toEqual([true, []])
    await page.keyboard.press('Tab')
    expect(await isFocused()).toBe(false)
    // Tab after the last node leaves as well.
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.press('Tab')
    expect([await isFocused(), await said()]).toEqual([false, []])
  })

  it('works by keyboard, shows a node in the panel, and keeps it in the URL', async () => {
    const { page } = dashboard()
    await walkTo('How the timetable is deployed')
    await page.keyboard.press('Enter')
    await panel().getByRole('heading', { name: 'How the timetable is deployed' }).waitFor()
    await panel().getByText('source of').or(panel().getByText('comes from')).first().waitFor()
    await page.waitForURL(new RegExp(`at=${idOf('# Deploying')}`))
    await examine(dashboard(), 'graph-node')
    await page.reload()
    await panel().getByRole('heading', { name: 'How the timetable is deployed' }).waitFor()
    await panel().getByRole('button', { name: 'Close' }).click()
    await panel().waitFor({ state: 'detached' })
  })

  it('collapses, expands, hides and pins a node from its menu', async () => {
    const { page } = dashboard()
    await settled()
    await walkTo('How the timetable is deployed')
    await page.keyboard.press('.')
    await page.getByRole('menuitem', { name: 'Start graph here' }).waitFor()
    await examine(dashboard(), 'graph-menu')
    await page.getByRole('menuitem', { name: 'Collapse' }).click()
    await expect.poll(() => count('nodes')).toBeLessThan(19)
    await page.keyboard.press('+')
    await expect.poll(() => count('nodes')).toBe(19)
    await page.keyboard.press('.')
    await page.getByRole('menuitem', { name: 'Pin here' }).click()
    await page.keyboard.press('.')
    await page.getByRole('menuitem', { name: 'Unpin' }).waitFor()
    await page.getByRole('menuitem', { name: 'Hide' }).click()
    await expect.poll(() => count('nodes')).toBe(18)
    await page.getByRole('button', { name: 'Show 1 hidden' }).click()
    await expect.poll(() => count('edges')).toBe(12)
  })

  it('works by mouse: click for details, right-click for the menu, Shift-click for a path', async () => {
    const { page } = dashboard()
    await settled()
    const clickMiddle = async (options: Parameters<ReturnType<typeof canvas>['click']>[0] = {}) => {
      // Sigma looks for the node under the pointer only when the pointer moves.
      await page.mouse.move(0, 0)
      await canvas().click(options)
    }
    await walkTo('The fare for bicycles')
    await clickMiddle()
    await panel()
      .getByRole('heading', { name: /^The fare for bicycles/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await walkTo('The fare for bicycles')
    await clickMiddle({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Shortest path from here' }).click()
    await page.getByText(/^The path starts at “The fare/).waitFor()
    await walkTo('Runbook')
    await clickMiddle({ modifiers: ['Shift'] })
    await page.getByText('3 links from “The fare for bicycles').waitFor()
    await page.getByRole('button', { name: 'Clear path' }).click()
  })

  it('adds and removes a link, with undo', async () => {
    const { page } = dashboard()
    await walkTo('Runbook')
    await page.keyboard.press('Enter')
    await panel().getByText('in the text').waitFor()
    await panel().getByRole('button', { name: 'Link to…' }).click()
    const form = page.getByRole('dialog', { name: 'New link' })
    await form.getByRole('button', { name: 'Add link', exact: true }).click()
    await form.getByText('Choose the other node.').waitFor()
    await form.getByRole('combobox', { name: 'How this node relates to the other' }).click()
    await page.getByRole('option', { name: 'contradicts', exact: true }).click()
    await form.getByRole('combobox', { name: 'Other node', exact: true }).fill('scanner')
    await page.getByRole('option', { name: /^The old scanner/ }).click()
    await examine(dashboard(), 'graph-link')
    await form.getByRole('button', { name: 'Add link', exact: true }).click()
    await page.getByText('Link added', { exact: true }).waitFor()
    await expect.poll(() => count('edges')).toBe(13)
    await panel()
      .getByRole('button', { name: /^Remove link: contradicts The old scanner/ })
      .click()
    await expect.poll(() => count('edges')).toBe(12)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => count('edges')).toBe(13)
  })

  it('starts at a node with the given depth, and applies the filters of the URL', async () => {
    const { page, open } = dashboard()
    await open(plain)
    await settled()
    await page.keyboard.press('/')
    await page.keyboard.type('harbour master')
    await page.getByRole('option', { name: /^The harbour master/ }).click()
    await page.waitForURL(/from=/)
    await expect.poll(() => count('nodes')).toBe(3)
    await page.getByRole('radiogroup', { name: 'Maximum links away' }).getByText('2', { exact: true }).click()
    await page.getByText('nodes within 2 links of “The harbour master').waitFor()
    expect(await count('nodes')).toBeGreaterThan(8)
    await page.reload()
    await page.getByText('nodes within 2 links of “The harbour master').waitFor()
    await open(plain)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Relation' }).click()
    await page.getByRole('option', { name: 'contradicts' }).click()
    await expect.poll(() => count('nodes')).toBe(4)
    await page.getByRole('checkbox', { name: 'Include archived' }).check()
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Task' }).click()
    await page.getByText('No notes or memories match this filter.').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await settled()
    await open(`${plain}&archived=true`)
    await expect.poll(() => count('nodes')).toBe(20)
  })

  it('shows the same content as a table', async () => {
    const { page, open } = dashboard()
    await open(`${plain}&view=table`)
    const table = page.getByRole('table', { name: 'Links' })
    const rows = table.locator('tbody tr')
    await expect.poll(() => rows.count()).toBeGreaterThan(14)
    // A source is named once for all of its links.
    const sources = await rows.locator('td:first-child button').allTextContents()
    expect(sources).toEqual([...new Set(sources)])
    expect(sources.length).toBeLessThan(await rows.count())
    await table.getByRole('button', { name: 'Relation' }).click()
    await expect.poll(() => rows.first().textContent()).toContain('contradicts')
    await table.getByRole('button', { name: 'Relation' }).click()
    await table.getByRole('columnheader', { name: 'Relation' }).and(page.locator('[aria-sort="descending"]')).waitFor()
    await examine(dashboard(), 'graph-table')
    await table
      .getByRole('button', { name: /Runbook/ })
      .first()
      .click()
    await panel().getByRole('heading', { name: 'Runbook' }).waitFor()
  })

  it('shows its history step by step', async () => {
    const { page, open } = dashboard()
    await open(plain)
    await settled()
    const time = page.getByRole('group', { name: 'Graph over time' })
    await time.getByRole('button', { name: 'Earlier' }).click()
    await expect.poll(() => count('nodes')).toBeLessThan(19)
    await time.getByRole('slider', { name: 'As of' }).focus()
    await page.keyboard.press('Home')
    await expect.poll(() => count('nodes')).toBe(1)
    await examine(dashboard(), 'graph-time')
    await time.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => count('nodes')).toBe(19)
  })

  it('colors the results of a search, and stores no text', async () => {
    const { page, open } = dashboard()
    await open(plain)
    await settled()
    const groups = page.getByRole('region', { name: 'Groups' })
    await groups.getByRole('textbox', { name: 'Search for nodes to color' }).fill('bicycles')
    await page.keyboard.press('Enter')
    await groups.getByText(/^bicycles/).waitFor()
    await examine(dashboard(), 'graph-groups')
    const kept = await page.evaluate(() => JSON.stringify(localStorage))
    expect(kept).toContain(idOf('The fare for bicycles'))
    expect(kept).not.toContain('bicycles')
    await page.reload()
    await groups.getByText(/^Group 1/).waitFor()
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Table').click()
    await page.getByRole('table', { name: 'Links' }).getByRole('img', { name: 'Group 1' }).first().waitFor()
    await groups.getByRole('button', { name: 'Remove group Group 1' }).click()
    await groups.getByText(/^Group 1/).waitFor({ state: 'detached' })
  })

  it('keeps nodes in place when the vault changes', async () => {
    const { page, open, agent } = dashboard()
    await open(plain)
    await settled()
    const places = () =>
      page.evaluate(
        () =>
          Object.entries(sessionStorage)
            .filter(([key]) => key.startsWith('holdfast-graph'))
            .map(([, kept]) => JSON.parse(String(kept)) as Record<string, [number, number]>)
            .at(0) ?? {},
      )
    const before = await places()
    const { memoryId } = await agent('write-memory', { content: 'The ice breaker leaves at five in the morning.' })
    await link(String(memoryId), idOf('# Deploying'), 'part_of')
    await expect.poll(() => count('edges')).toBeGreaterThan(12)
    await expect.poll(async () => Object.keys(await places())).toContain(memoryId)
    const after = await places()
    expect(Object.fromEntries(Object.keys(before).map((id) => [id, after[id]]))).toEqual(before)
    const [near = [], own = []] = [before[idOf('# Deploying')], after[String(memoryId)]]
    const [across = NaN, down = NaN] = [0, 1].map((axis) => (near[axis] ?? NaN) - (own[axis] ?? NaN))
    expect(Math.hypot(across, down)).toBeGreaterThan(0)
    expect(Math.hypot(across, down)).toBeLessThan(400)
  })

  it('stores only ids and places, and removes them on signing out', async () => {
    const { page, open } = dashboard()
    await open('/graph')
    await settled()
    const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
    expect(await kept()).toContain(idOf('Route 7'))
    expect(await kept()).not.toContain('Route')
    expect(await kept()).not.toContain('timetable')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/login/)
    expect(await kept()).not.toContain(idOf('Route 7'))
  })
})

describeDashboard('the graph without WebGL', {}, (dashboard) => {
  it('is a table and says why', async () => {
    const { page, open, agent } = dashboard()
    await agent('write-memory', { content: 'The lighthouse has a new lamp.' })
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
    await open('/graph')
    await page.getByText('This browser doesn’t support WebGL').waitFor()
    await page.getByRole('button', { name: 'Show unlinked' }).first().click()
    await page.getByRole('button', { name: 'The lighthouse has a new lamp.' }).waitFor()
    await examine(dashboard(), 'graph-no-webgl')
  })
})
