import { expect, it } from 'vitest'
import { describeDashboard, examine, type Dashboard } from './dashboard.ts'
import { allowChanges } from './server.ts'
import { rememberStories, type Remembered } from './remembered.ts'
import { intercept } from './intercept.ts'

/** A memory and a task of the owner. */
async function writeAsPerson({ owner: { vaultId }, mine }: Dashboard): Promise<{ memoryId: unknown; taskId: unknown }> {
  const content = 'Never push to production without a review.'
  const { memoryId } = await mine('/api/memories', { vaultId, content, memoryType: 'constraint', importance: 5 })
  const { taskId } = await mine('/api/tasks', { vaultId, title: 'Rotate the key', doneWhen: 'All services verify.' })
  return { memoryId, taskId }
}

describeDashboard('review', {}, (dashboard) => {
  let remembered: Remembered | undefined
  const idOf = (beginning: string) => remembered?.idOf(beginning) ?? ''
  const cards = () => dashboard().page.getByRole('article')
  const read = async (id: string) => {
    const answer = await dashboard().agent('read-memories', { memoryIds: [id] })
    return (answer['memories'] as { status: string; confidence: number; supersededById: string | null }[])[0]
  }

  it('says when there is nothing to review', async () => {
    const { page, open } = dashboard()
    await open('/review?kind=contradiction')
    await page.getByText('No contradictions to review.').waitFor()
    await examine(dashboard(), 'review-none')
    remembered = await rememberStories(dashboard())
  })

  it('is linked from Home', async () => {
    const { page, open } = dashboard()
    await open('/')
    await page.getByRole('link', { name: '2 items' }).click()
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    await page.getByText('Agent’s note: the old fare').waitFor()
  })

  it('shows contradictions side by side, and lets both be true', async () => {
    const { page } = dashboard()
    expect(await cards().count()).toBe(1)
    await examine(dashboard(), 'review-contradiction')
    await page.getByRole('button', { name: 'Both are true' }).click()
    await page.getByText('No contradictions to review.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Agent’s note: the old fare').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('2')
    await page.getByText('No contradictions to review.').waitFor()
    // The card leaves before the server has answered.
    const replacedBy = async () => (await read(idOf('A poster at')))?.supersededById
    await expect.poll(replacedBy).toBe(idOf('The fare for bicycles'))
    // The decision can be taken back by key, and made again.
    await page.keyboard.press('u')
    await page.getByText('Agent’s note: the old fare').waitFor()
    await expect.poll(replacedBy).toBe(null)
    await page.keyboard.press('j')
    await page.keyboard.press('2')
    await page.getByText('No contradictions to review.').waitFor()
    await expect.poll(replacedBy).toBe(idOf('The fare for bicycles'))
  })

  it('confirms, edits, archives and dismisses guesses', async () => {
    const { page, agent } = dashboard()
    for (const content of [
      'Dogs will cost 2.00 from spring on.',
      'The old scanner may be sold.',
      'Fog lasts until nine.',
    ])
      await agent('write-memory', { content, confidence: 1 })
    // After the last item of a kind, the page leads to the next kind.
    await page.getByRole('button', { name: 'Review 4 guesses' }).waitFor()
    await page.keyboard.press('n')
    await expect.poll(() => cards().count()).toBe(4)
    await examine(dashboard(), 'review-unsure')
    await page.keyboard.press('a')
    await page.getByText('Confirmed').waitFor()
    await expect.poll(() => cards().count()).toBe(3)
    // The next card has the focus.
    await page.keyboard.press('w')
    await page.getByText('1 memory archived').waitFor()
    await expect.poll(() => cards().count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => cards().count()).toBe(3)
    await page.getByRole('button', { name: 'More about Somebody said that the café closes on Mondays.' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit memory' })
    await form.getByLabel('What to remember').fill('The café closes on Mondays in winter.')
    // As the button Save does.
    await page.keyboard.press('Control+Enter')
    await cards().getByText('in winter').waitFor()
    await cards()
      .filter({ hasText: 'in winter' })
      .getByRole('button', { name: /^More about/ })
      .click()
    await page.getByRole('menuitem', { name: 'Don’t ask again' }).click()
    await expect.poll(() => cards().count()).toBe(2)
    await expect
      .poll(() => read(idOf('Somebody said that the café')))
      .toMatchObject({ status: 'active', confidence: 2 })
  })

  it('accepts all guesses of an agent, and stops again', async () => {
    const { page, agent } = dashboard()
    await page
      .getByRole('button', { name: /^More about/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Always accept from Scout' }).click()
    await page.getByText('No guesses to review.').waitFor()
    await page.getByText('Accepted without review:').waitFor()
    await page
      .getByRole('alert')
      .filter({ hasText: 'Accepting all guesses from Scout' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await expect.poll(() => cards().count()).toBe(2)
    // The same by keyboard.
    await page.keyboard.press('t')
    await expect.poll(() => cards().count()).toBe(0)
    await agent('write-memory', { content: 'The kiosk may sell ice from June on.', confidence: 1 })
    await examine(dashboard(), 'review-trusted')
    expect(await cards().count()).toBe(0)
    await page.getByRole('button', { name: 'Review again: guesses from Scout' }).press('Enter')
    await expect.poll(() => cards().count()).toBe(3)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })

  it('marks the first item until a person moves, also when a newer one arrives', async () => {
    const { page, open, agent } = dashboard()
    const write = async (content: string) =>
      String((await agent('write-memory', { content, confidence: 1 }))['memoryId'])
    const [older, newer] = [await write('The pump may leak.'), await write('The winch may be stuck.')]
    await open('/review?kind=unsure')
    const marked = page.locator('main [data-current=true]')
    await marked.getByText('The winch may be stuck.').waitFor()
    const arrived = await write('The bell may be cracked.')
    await cards().getByText('The bell may be cracked.').waitFor()
    await page.keyboard.press('a')
    await expect.poll(async () => (await read(newer))?.confidence).toBe(5)
    await marked.getByText('The pump may leak.').waitFor()
    await page.keyboard.press('k')
    await marked.getByText('The bell may be cracked.').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('w')
    await expect.poll(async () => (await read(older))?.status).toBe('archived')
    expect(await read(arrived)).toMatchObject({ status: 'active', confidence: 1 })
    await page.keyboard.press('k')
    await page.keyboard.press('a')
    await expect.poll(async () => (await read(arrived))?.confidence).toBe(5)
  })

  it('handles five items by keyboard alone, one by one and several at once', async () => {
    const { page, open, agent } = dashboard()
    const ids: string[] = []
    for (const content of ['Tide one.', 'Tide two.', 'Tide three.', 'Tide four.', 'Tide five.'])
      ids.push(String((await agent('write-memory', { content, confidence: 1 }))['memoryId']))
    // It opens the first kind that has items.
    await open('/review')
    const tides = () => cards().filter({ hasText: /^.*Tide/ })
    await expect.poll(() => tides().count()).toBe(5)
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const label of ['Select the item', 'Accept: it is right', 'It is wrong', 'Skip', 'Undo'])
      await sheet.getByText(label, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    // The newest is first. Decided items disappear at once, and the next one has the focus.
    for (const key of ['a', 'w', 's']) await page.keyboard.press(key)
    await expect.poll(() => tides().count()).toBe(2)
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    await examine(dashboard(), 'review-selected')
    await page.keyboard.press('a')
    await page.getByText('2 memories confirmed').waitFor()
    await expect.poll(async () => (await read(ids[0] ?? ''))?.confidence).toBe(5)
    expect(await read(ids[1] ?? '')).toMatchObject({ status: 'active', confidence: 5 })
    expect(await read(ids[2] ?? '')).toMatchObject({ status: 'active', confidence: 1 })
    expect(await read(ids[3] ?? '')).toMatchObject({ status: 'archived', confidence: 1 })
    expect(await read(ids[4] ?? '')).toMatchObject({ status: 'active', confidence: 5 })
    await page.keyboard.press('u')
    await expect.poll(() => tides().count()).toBe(2)
    expect(await read(ids[0] ?? '')).toMatchObject({ confidence: 1 })
    // What was skipped comes back.
    await page.reload()
    await expect.poll(() => tides().count()).toBe(3)
    for (const _ of [1, 2, 3]) await tides().first().getByRole('button', { name: 'This is wrong' }).click()
    await expect.poll(() => tides().count()).toBe(0)
  })

  /** One call checks for a limited time; how many memories it covers depends on the machine. */
  const checkAll = async () => {
    const { page } = dashboard()
    const further = page.getByRole('button', { name: 'Check more' }).and(page.locator(':enabled'))
    await expect
      .poll(async () => {
        if ((await further.count()) > 0) await further.click()
        return page.getByText(/^Checked all /).count()
      })
      .toBe(1)
  }

  it('finds likely duplicates and merges them', async () => {
    const { page, agent } = dashboard()
    const written = await agent('write-memory', {
      content: 'The harbour master is Ingrid Solheim, who answers mails within a day and calls within one hour.',
      entities: ['Ingrid Solheim'],
    })
    await page.getByRole('radiogroup', { name: 'What to review' }).getByText('Duplicates').click()
    await checkAll()
    await expect.poll(() => cards().count()).toBe(1)
    await examine(dashboard(), 'review-duplicate')
    await cards()
      .getByRole('button', { name: /^Keep this one/ })
      .first()
      .click()
    await page.getByText('No duplicates to review.').waitFor()
    await expect.poll(async () => (await read(idOf('The harbour master')))?.supersededById).toBe(written['memoryId'])
  })

  it('checks 10 pages automatically, then waits for a click, and doesn’t restart when something changes', async () => {
    const { page, open, agent } = dashboard()
    const asked: string[] = []
    await page.route(/\/api\/review\?.*kind=duplicate/, async (route) => {
      const at = asked.push(route.request().url())
      const after = `5.${'0'.repeat(36)}`
      const counts = { proposal: 0, contradiction: 0, unsure: 0, changed: 0, removed: 0 }
      const found = { items: [], total: 3_000, looked: 15, next: null, after, hasMore: at < 14, counts }
      await route.fulfill({ json: { ...found, limit: 20, offset: 0 } })
    })
    await open('/review?kind=duplicate')
    await page.getByText('Checked the newest 150 of 3,000 memories.').waitFor()
    await page.getByRole('button', { name: 'Check more' }).and(page.locator(':enabled')).waitFor()
    expect(asked).toHaveLength(10)
    await examine(dashboard(), 'review-looked')
    const unsure = page.getByRole('radiogroup', { name: 'What to review' }).getByText(/^Unsure/)
    const before = await unsure.textContent()
    await agent('write-memory', { content: 'Perhaps the crane is sold.', confidence: 1 })
    await expect.poll(() => unsure.textContent()).not.toBe(before)
    expect(asked).toHaveLength(10)
    await checkAll()
    await page.getByText('Checked all 210 memories.').waitFor()
    expect(asked).toHaveLength(14)
    expect(asked.slice(1).every((url) => url.includes('after='))).toBe(true)
    await page.unroute(/\/api\/review\?.*kind=duplicate/)
  })

  it('undoes a decision on two similar memories', async () => {
    const { page, open, agent } = dashboard()
    for (const end of ['', ' Really!'])
      await agent('write-memory', { content: `Olaf buys the paraffin of all lanterns from Bergen.${end}` })
    await open('/review?kind=duplicate')
    await checkAll()
    await expect.poll(() => cards().count()).toBe(1)
    await cards().getByRole('button', { name: 'More about' }).first().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit memory' })
    await form.getByLabel('What to remember').fill('Olaf buys the paraffin of all lanterns from Oslo. Really!')
    await form.getByRole('button', { name: 'Save' }).click()
    await cards().getByText('Oslo').waitFor()
    await cards().getByRole('button', { name: 'Not duplicates' }).click()
    await page.getByText('No duplicates to review.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => cards().count()).toBe(1)
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.getByText('No duplicates to review.').waitFor()
    await page.getByText('Memories merged').waitFor()
    await page.keyboard.press('u')
    await expect.poll(() => cards().count()).toBe(1)
    await cards().getByRole('button', { name: 'More about' }).last().click()
    await page.getByRole('menuitem', { name: 'This is wrong' }).click()
    await page.getByText('No duplicates to review.').waitFor()
  })

  const mine = 'Never push to production without a review.'
  const theirs = 'Always push to production without a review.'

  it('says when no agent has changed what the person wrote', async () => {
    const { page, open } = dashboard()
    await open('/review')
    // A phone has no room for all kinds in one row, which scrolls.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('radiogroup', { name: 'What to review' }).getByText('Changed 0').click()
    await page.getByText('No changes to review.').waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('marks the chosen kind where it is, also after the row of a phone has scrolled to it', async () => {
    const { page, open } = dashboard()
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/review?kind=unsure')
    const row = page.getByRole('radiogroup', { name: 'What to review' })
    await expect.poll(() => row.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
    /** Whether a separate mark is where the label is, or else whether the label has a background. */
    const isMarked = () =>
      row.evaluate((kinds) => {
        const label = kinds.querySelector('label[data-active]')
        const mark = kinds.querySelector('.mantine-SegmentedControl-indicator')
        if (label === null) return false
        const { left, width } = mark?.getBoundingClientRect() ?? { left: 0, width: 0 }
        if (width > 0) return Math.abs(left - label.getBoundingClientRect().left) < 2
        const { display, backgroundColor } = getComputedStyle(label, '::before')
        return display === 'block' && backgroundColor !== 'rgba(0, 0, 0, 0)'
      })
    await expect.poll(isMarked).toBe(true)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('shows what an agent changed of the person’s memory and task, before and after', async () => {
    const { page, open, agent } = dashboard()
    const { memoryId, taskId } = await writeAsPerson(dashboard())
    await open('/review?kind=changed')
    await page.getByText('No changes to review.').waitFor()
    await agent('update-memory', { memoryId, content: theirs, importance: 1 })
    await agent('update-task', { taskId, doneWhen: 'Nobody asks any more.' })
    await expect.poll(() => cards().count()).toBe(2)
    await page.getByText('Changed 2').waitFor()
    const card = cards().filter({ hasText: 'production' })
    await card.getByText(/^By you, changed by scout/i).waitFor()
    await card.getByText(mine).waitFor()
    await card.getByText(theirs).last().waitFor()
    await cards().filter({ hasText: 'Rotate the key' }).getByText('Nobody asks any more.').waitFor()
    await examine(dashboard(), 'review-changed')
  })

  it('marks them in lists, and restores an older version from the memory and the task', async () => {
    const { page, open } = dashboard()
    await open('/memories?q=production')
    await page
      .getByRole('row')
      .filter({ hasText: theirs })
      .getByText(/^Changed by scout$/i)
      .waitFor()
    await examine(dashboard(), 'memories-changed')
    await page.getByRole('link', { name: theirs }).click()
    await page.getByText(/^By you, changed by scout/i).waitFor()
    await page.getByRole('button', { name: 'Compare with current' }).click()
    await page.getByRole('group', { name: 'Changes of Text' }).getByText(mine).waitFor()
    await examine(dashboard(), 'memory-changed')
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByText('Version 1 restored').waitFor()
    await page.getByText(/^By you, changed by scout/i).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Undone').waitFor()
    await page.getByText(/^By you, changed by scout/i).waitFor()

    await open('/tasks')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Rotate the key' })
      .getByText(/^Changed by scout$/i)
      .waitFor()
    await page.getByRole('link', { name: 'Rotate the key' }).click()
    await page.getByRole('button', { name: 'Compare with current' }).click()
    await page.getByRole('group', { name: 'Changes of Done when' }).getByText('All services verify.').waitFor()
    await examine(dashboard(), 'task-changed')
  })

  it('keeps a change, and restores the person’s text', async () => {
    const { page, open, agent } = dashboard()
    await open('/review?kind=changed')
    await expect.poll(() => cards().count()).toBe(2)
    await cards().filter({ hasText: 'Rotate the key' }).getByRole('button', { name: 'Keep the change' }).click()
    await page.getByText('Change kept').waitFor()
    await expect.poll(() => cards().count()).toBe(1)
    await page.getByRole('button', { name: 'Restore your text' }).click()
    await page.getByText('Your text is restored').waitFor()
    await page.getByText('No changes to review.').waitFor()
    const { memories } = await agent('search-memories', { query: mine })
    expect((memories as object[])[0]).toMatchObject({
      content: mine,
      importance: 5,
      source: { trust: 'user_authored' },
    })
  })

  it('shows what an agent proposes, before and after, and accepts or rejects it', async () => {
    const { page, open, agent, mine: asPerson, server, owner } = dashboard()
    const { vaultId } = owner
    await open('/review?kind=proposal')
    await page.getByText('No proposals to review.').waitFor()
    await allowChanges(server, owner, { persons: 'ask', agents: 'yes' })
    const rule = await asPerson('/api/memories', {
      vaultId,
      content: 'Ferries wait for late buses, but never longer than five minutes.',
    })
    const plan = await asPerson('/api/notes', { vaultId, title: 'Winter timetable', content: 'Every hour.' })
    const { memoryId } = rule
    const { noteId } = plan
    await agent('update-memory', { memoryId, content: 'Ferries never wait for late buses.', writeReason: 'A tweet' })
    await agent('write-memory', { content: 'Ferries wait for buses up to ten minutes.', supersededById: memoryId })
    await agent('archive-memory', { memoryId, reason: 'Nobody reads it' })
    await agent('update-note', { noteId, content: '\nNot on Sundays.', mode: 'append', tags: ['timetable'] })
    await expect.poll(() => cards().count()).toBe(4)
    await page.getByText('Proposals 4').waitFor()
    await cards()
      .first()
      .getByText(/^Proposed by scout/i)
      .waitFor()
    await examine(dashboard(), 'review-proposals')

    await cards().filter({ hasText: 'archives it' }).getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Proposal rejected').waitFor()
    await expect.poll(() => cards().count()).toBe(3)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => cards().count()).toBe(4)
    await cards().filter({ hasText: 'archives it' }).getByRole('button', { name: 'Reject' }).click()
    await expect.poll(() => cards().count()).toBe(3)
    await cards().filter({ hasText: 'Winter timetable' }).getByRole('button', { name: 'Accept' }).click()
    await expect.poll(() => cards().count()).toBe(2)
    await page.keyboard.press('u')
    await expect.poll(() => cards().count()).toBe(3)
    expect(await agent('read-note', { noteId })).toMatchObject({ note: { content: 'Every hour.' } })
    await cards().filter({ hasText: 'Winter timetable' }).getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Proposal accepted').waitFor()
    await expect.poll(() => cards().count()).toBe(2)
    await expect
      .poll(() => agent('read-note', { noteId }))
      .toMatchObject({ note: { content: 'Every hour.\nNot on Sundays.', tags: ['timetable'] } })
    // By keyboard: the new memory replaces the old one, and the other proposal is outdated.
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.getByText('This can no longer be accepted').or(page.getByText('Proposals 1')).first().waitFor()
    await expect.poll(() => cards().count()).toBe(1)
    const first = async () => {
      const { memories } = await agent('search-memories', { query: 'How long do ferries wait for buses?' })
      return (memories as { content: string }[])[0]?.content
    }
    await expect.poll(first).toBe('Ferries wait for buses up to ten minutes.')
    await page.keyboard.press('j')
    await page.keyboard.press('r')
    await page.getByText('No proposals to review.').waitFor()

    for (const tag of ['a', 'b', 'c']) await agent('update-note', { noteId, tags: [tag] })
    await expect.poll(() => cards().count()).toBe(3)
    await page.getByRole('button', { name: /^Reject all proposals of / }).click()
    const asking = page.getByRole('dialog', { name: /^Reject 3 proposals of / })
    await examine(dashboard(), 'review-reject-all')
    // What it proposes while the person is asked was not seen.
    await agent('update-note', { noteId, tags: ['d'] })
    await asking.getByRole('button', { name: 'Reject 3 proposals' }).click()
    await page.getByText('3 proposals rejected').waitFor()
    await expect.poll(() => cards().count()).toBe(1)
    await cards().getByRole('button', { name: 'Reject' }).click()
    await page.getByText('No proposals to review.').waitFor()
    await allowChanges(server, owner, { persons: 'yes', agents: 'yes' })
  })

  it('accepts a long change only after it was shown whole', async () => {
    const { page, open, agent, mine: asPerson, server, owner } = dashboard()
    await allowChanges(server, owner, { persons: 'ask', agents: 'yes' })
    const lines = (end: string) =>
      Array.from({ length: 600 }, (_, at) => `Rule ${at}${at < 400 ? end : ''} of the harbour.`).join('\n')
    const { noteId } = await asPerson('/api/notes', {
      vaultId: owner.vaultId,
      title: 'Harbour rules',
      content: lines(''),
    })
    const attack = lines('!').replace('Rule 550 ', 'Give the keys to Mallory. ')
    await agent('update-note', { noteId, content: attack })
    await open('/review?kind=proposal')
    const card = cards().filter({ hasText: 'Harbour rules' })
    await card.getByText('This is only a part.').waitFor()
    expect(await card.getByRole('button', { name: 'Accept' }).count()).toBe(0)
    // Nor by keyboard: the same key shows the change first.
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await card.getByText('Give the keys to Mallory.').waitFor()
    expect(await card.getByText('This is only a part.').count()).toBe(0)
    await page.reload()
    await card.getByRole('button', { name: 'Show the whole change' }).click()
    await card.getByText('Give the keys to Mallory.').scrollIntoViewIfNeeded()
    await examine(dashboard(), 'review-whole-change')
    await card.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('No proposals to review.').waitFor()
    await expect.poll(() => agent('read-note', { noteId })).toMatchObject({ note: { content: attack } })
    await allowChanges(server, owner, { persons: 'yes', agents: 'yes' })
  })

  it('shows what an agent removed, and restores it', async () => {
    const { page, open, agent, mine: asPerson, owner } = dashboard()
    const { vaultId } = owner
    await open('/review?kind=removed')
    await page.getByText('Nothing removed.').waitFor()
    const write = async (content: string) => (await asPerson('/api/memories', { vaultId, content }))['memoryId']
    await agent('archive-memory', { memoryId: await write('The spare key is in the blue box.'), reason: 'Tidying' })
    const old = await write('The gate code changes on the first of each month.')
    await agent('write-memory', { content: 'The gate code never changes.', supersededById: old })
    const { noteId } = await asPerson('/api/notes', { vaultId, title: 'Crew list', content: 'Ada, Olaf.' })
    await agent('delete-note', { noteId })
    await expect.poll(() => cards().count()).toBe(3)
    await cards().getByText('The gate code never changes.').waitFor()
    await examine(dashboard(), 'review-removed')
    // The answer to the first decision comes after the one to the second, which is still the last that was made.
    const decisions = '**/api/review/decide'
    const secondAnswer = page.waitForResponse(decisions)
    let isFirst = true
    await intercept(page, decisions, async (route) => {
      if (!isFirst) return route.continue()
      isFirst = false
      const response = await route.fetch()
      await secondAnswer
      return route.fulfill({ response })
    })
    for (const text of ['Crew list', 'gate code']) {
      await cards().filter({ hasText: text }).getByRole('button', { name: 'Restore' }).click()
      await expect.poll(() => cards().filter({ hasText: text }).count()).toBe(0)
    }
    await expect.poll(() => agent('read-note', { noteId })).toMatchObject({ note: { status: 'active' } })
    await secondAnswer
    await page.unrouteAll({ behavior: 'wait' })
    await page.keyboard.press('u')
    await cards().filter({ hasText: 'gate code' }).waitFor()
    await cards().filter({ hasText: 'gate code' }).getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => cards().count()).toBe(1)
    await expect.poll(() => read(String(old))).toMatchObject({ status: 'active', supersededById: null })
    await cards().getByRole('button', { name: 'Leave it removed' }).click()
    await page.getByText('Nothing removed.').waitFor()
  })

  it('merges from the list of memories as well', async () => {
    const { page, open } = dashboard()
    await open('/memories?q=scanner')
    await page.getByRole('checkbox', { name: /^Select The old scanner may/ }).check()
    await page.getByRole('checkbox', { name: /^Select The old scanner needs/ }).check()
    await page.getByRole('button', { name: 'Merge into' }).click()
    // Not everything on the screen is refreshed by the time that the merge is undone.
    const undone = Promise.withResolvers<void>()
    await intercept(page, '**/api/vaults?*', async (route) => {
      await undone.promise
      await route.continue()
    })
    await page.getByRole('menuitem', { name: /^The old scanner needs/ }).click()
    await page.getByText('Memories merged.').waitFor()
    const merged = page.getByRole('checkbox', { name: /^Select The old scanner may/ })
    await expect.poll(() => merged.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await merged.waitFor()
    undone.resolve()
    await page.getByText('Undone').waitFor()
    expect(await page.getByRole('checkbox', { name: /^Select The old scanner/, checked: true }).count()).toBe(0)
  })

  it('undoing several decisions leaves what has changed since, and names it', async () => {
    const { page, open, agent, mine: asPerson, server, owner } = dashboard()
    await allowChanges(server, owner, { persons: 'ask', agents: 'yes' })
    const noteIds: unknown[] = []
    for (const title of ['East pier', 'North pier', 'South pier']) {
      const { noteId } = await asPerson('/api/notes', { vaultId: owner.vaultId, title, content: 'Open.' })
      await agent('update-note', { noteId, content: 'Closed.' })
      noteIds.push(noteId)
    }
    const [east, north, south] = noteIds
    await open('/review?kind=proposal')
    await expect.poll(() => cards().count()).toBe(3)
    for (const title of ['East pier', 'North pier', 'South pier'])
      await page.getByRole('checkbox', { name: `Select ${title}` }).check()
    await page.getByRole('group', { name: 'Selected items' }).getByRole('button', { name: 'Accept' }).click()
    await page.getByText('3 proposals accepted').waitFor()
    await allowChanges(server, owner, { persons: 'yes', agents: 'yes' })
    await agent('update-note', { noteId: south, mode: 'append', content: ' For good.' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('2 undone. “South pier” has changed since.').waitFor()
    await expect.poll(() => cards().count()).toBe(2)
    const contentOf = async (noteId: unknown) => {
      const { note } = (await agent('read-note', { noteId })) as { note: { content: string } }
      return note.content
    }
    expect([await contentOf(east), await contentOf(north)]).toEqual(['Open.', 'Open.'])
    expect(await contentOf(south)).toBe('Closed. For good.')
  })

  it('undoing a confirmation doesn’t overwrite a confidence that was set since', async () => {
    const { page, open, agent } = dashboard()
    const { memoryId } = await agent('write-memory', { content: 'Perhaps the east crane is repaired.', confidence: 1 })
    await open('/review?kind=unsure')
    const card = cards().filter({ hasText: 'east crane' })
    await card.getByRole('button', { name: 'This is right' }).click()
    await page.getByText('Confirmed').waitFor()
    await expect.poll(() => read(String(memoryId))).toMatchObject({ confidence: 5 })
    await agent('update-memory', { memoryId, confidence: 4 })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('“Perhaps the east crane is repaired.” has changed since.').waitFor()
    expect(await read(String(memoryId))).toMatchObject({ confidence: 4 })
  })
})
