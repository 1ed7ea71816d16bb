import type { Page } from 'playwright-core'
import { summarize, type Summary } from '../samples.ts'
import { slowMs } from './in-page.ts'

export interface Timed {
  name: string
  times: Summary
}

/** The pages in the rail, with their titles. */
const railPages = [
  'Home',
  'Inbox',
  'Review',
  'Memories',
  'Tasks',
  'Notes',
  'Graph',
  'Agents & keys',
  'Runs',
  'Settings',
] as const

const map = 'Graph, with its map'

/** From the click on an entry of the rail until the page shows its content. The first round loads the pages' code and data. */
export async function timePageChanges(page: Page, rounds: number): Promise<Timed[]> {
  const samples = new Map<string, number[]>([...railPages, map].map((title) => [title, []]))
  const rail = page.getByRole('navigation', { name: 'Pages' })
  // From the last page, so that the first change is one, too.
  await rail.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  for (let round = 0; round < rounds; round++)
    for (const title of railPages) {
      const shown = page.evaluate((wanted) => probe.timeUntil(wanted), title)
      const drawn = title === 'Graph' && page.evaluate(() => probe.timeUntil('Graph', '[data-settled="true"]'))
      await rail.getByRole('link', { name: title }).click()
      samples.get(title)?.push(await shown)
      // Drawn after the page, by WebGL.
      if (drawn !== false) samples.get(map)?.push(await drawn)
      // A person reads for a moment, and what the page loads for later isn't part of the next change.
      await page.waitForTimeout(restMs)
    }
  return [...samples].map(([name, times]) => ({ name, times: summarize(times) }))
}

const restMs = 400

interface Step {
  name: string
  path: string
  /** Resolves once the page is ready for the inputs. */
  prepare(page: Page): Promise<unknown>
  /** The n-th input, or inputs. */
  act(page: Page, number: number): Promise<unknown>
  /** How many inputs one `act` is. */
  inputs: number
}

const letters = 'holdfast remembers'

const focusFilter = (page: Page) => page.locator('input[data-filter]').first().focus()
const type = (page: Page, number: number) => page.keyboard.press(letters[number % letters.length] ?? 'a')
const rowsOf = (page: Page) => page.locator('main table tbody [data-row]')

const steps: readonly Step[] = [
  { name: 'type into the filter of Memories', path: '/memories', prepare: focusFilter, act: type, inputs: 1 },
  { name: 'type into the filter of Tasks', path: '/tasks?view=list', prepare: focusFilter, act: type, inputs: 1 },
  { name: 'type into the filter of Inbox', path: '/messages', prepare: focusFilter, act: type, inputs: 1 },
  {
    name: 'next and previous row (j, k)',
    path: '/memories',
    prepare: (page) => rowsOf(page).first().waitFor(),
    act: (page, number) => page.keyboard.press(number % 12 < 8 ? 'j' : 'k'),
    inputs: 1,
  },
  {
    name: 'open a memory next to the list',
    path: '/memories',
    prepare: (page) => rowsOf(page).first().waitFor(),
    act: (page, number) =>
      rowsOf(page)
        .nth(number % 15)
        .click(),
    inputs: 1,
  },
  {
    name: 'sort by a column',
    path: '/memories',
    prepare: (page) => rowsOf(page).first().waitFor(),
    act: (page, number) =>
      page
        .locator('main table thead')
        // Not what only phones show.
        .getByRole('button')
        .nth(number % 2)
        .click(),
    inputs: 1,
  },
  {
    name: 'open and close the palette',
    path: '/memories',
    prepare: (page) => rowsOf(page).first().waitFor(),
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('textbox', { name: 'Search or jump to' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
    inputs: 2,
  },
]

/** From each key or click to the next paint. What is faster than browsers report counts as the least that they do. */
export async function timeInputs(page: Page, url: string, count: number): Promise<Timed[]> {
  const timed: Timed[] = []
  for (const { name, path, prepare, act, inputs } of steps) {
    await page.goto(url + path)
    await prepare(page)
    await page.waitForTimeout(1_000)
    await page.evaluate((step) => void (probe.step = step), name)
    for (let number = 0; number < count; number++) {
      await act(page, number)
      await page.waitForTimeout(pauseMs)
    }
    const slow = await page.evaluate(
      (step) => probe.inputs.filter((one) => one.step === step).map(({ ms }) => ms),
      name,
    )
    const fast = Array.from({ length: Math.max(0, count * inputs - slow.length) }, () => slowMs)
    timed.push({ name, times: summarize([...slow, ...fast]) })
  }
  return timed
}

/** About the pace of a person who types. */
const pauseMs = 120

const allPaths = [
  '/',
  '/messages',
  '/review',
  '/memories',
  '/tasks',
  '/tasks?view=list',
  '/notes',
  '/graph',
  '/search',
  '/context',
  '/documents',
  '/trash',
  '/agents',
  '/runs',
  '/connect',
  '/vaults',
  '/transfer',
  '/webhooks',
  '/activity',
  '/usage',
  '/settings',
  '/entities',
] as const

/** How much each page shifts while it loads, in the browser's measure. */
export async function sumShifts(page: Page, url: string): Promise<{ path: string; shift: number }[]> {
  const shifts: { path: string; shift: number }[] = []
  for (const path of allPaths) {
    await page.goto(url + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForFunction(() => document.querySelector('main .mantine-Skeleton-root') === null)
    await page.waitForTimeout(1_500)
    shifts.push({ path, shift: await page.evaluate(() => probe.shift) })
  }
  return shifts
}
