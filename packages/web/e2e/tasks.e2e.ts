import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeDashboard, examine, type Dashboard } from './dashboard.ts'
import { intercept } from './intercept.ts'

/** Tasks in the office of a small ferry line. */
const stories = [
  { title: 'Renew the certificate of the booking site', priority: 5, doneWhen: 'The site shows a date of next year.' },
  {
    title: 'Ask the harbour master for the winter slots',
    priority: 4,
    status: 'in_progress',
    assignedAgentId: 'scout',
  },
  {
    title: 'Print the new timetable for both piers',
    status: 'blocked',
    blockedReason: 'The printer waits for a ribbon, which comes on Thursday.',
    assignedAgentId: 'codex',
  },
  { title: 'Move the payment provider, steps five to nine', priority: 4, assignedAgentId: 'codex' },
  { title: 'Count the lost umbrellas', priority: 1, status: 'backlog' },
  {
    title: 'Tell passengers of the new bicycle fare',
    priority: 3,
    status: 'done',
    doneWhen: 'Posters hang at all piers',
  },
] as const

const answerMs = 700

describeDashboard('tasks', {}, (dashboard) => {
  const ids = new Map<string, string>()
  const idOf = (beginning: string) => [...ids].find(([title]) => title.startsWith(beginning))?.[1] ?? ''
  const column = (name: string) => dashboard().page.getByRole('region', { name: new RegExp(`^${name}`) })
  const card = (name: string, title: RegExp) => column(name).getByRole('link', { name: title })
  const stored = async (id: string) => {
    const { tasks } = (await dashboard().agent('list-tasks', { taskIds: [id], includeArchived: true })) as {
      tasks: Record<string, unknown>[]
    }
    return tasks[0]
  }

  it('the first task can be created by keyboard', async () => {
    const { page, open } = dashboard()
    await open('/tasks')
    await page.getByText('No tasks yet.').waitFor()
    // The next step is the only filled button.
    const filled = page.locator('main .mantine-Button-root:is(:not([data-variant]), [data-variant=filled])')
    expect(await filled.allTextContents()).toEqual(['Connect an agent'])
    await examine(dashboard(), 'tasks-none')
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New task' })
    await form.getByRole('button', { name: 'Create task' }).click()
    await form.getByText('Enter a title', { exact: true }).waitFor()
    await form.getByLabel('Title').fill('Water the ferns in the office')
    await form.getByRole('button', { name: 'More options' }).click()
    await form.getByLabel('Done when').fill('The soil is dark.')
    await form.getByLabel('Description').fill('Twice a week, **not** the cactus.')
    await form.getByLabel('Tags').fill('office')
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Create task' }).click()
    await card('To do', /^Water the ferns/).waitFor()
  })

  it('the board shows the key facts of each task', async () => {
    const { open, agent } = dashboard()
    await createTasks(dashboard(), ids)
    await agent('update-task', {
      taskId: idOf('Ask the harbour'),
      comment: 'She is away until Monday.',
      agentRunId: 'run-harbour',
      agentId: 'scout',
    })
    await open('/tasks')
    await card('Blocked', /^Print the new/).waitFor()
    await column('Blocked').getByText('The printer waits for a ribbon').waitFor()
    await examine(dashboard(), 'tasks-board')
  })

  it('a phone shows one state at a time, and how many tasks are in each', async () => {
    const { page, open } = dashboard()
    const states = page.getByRole('navigation', { name: 'States' })
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      await open('/tasks')
      await states.getByRole('button', { name: '1 In progress' }).and(page.locator('[aria-current]')).waitFor()
      expect(await states.evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0)
      await states.getByRole('button', { name: /Blocked/ }).click()
      await states.getByRole('button', { name: '1 Blocked' }).and(page.locator('[aria-current]')).waitFor()
      await card('Blocked', /^Print the new/).waitFor()
    }
    // Nothing in progress matches.
    await open('/tasks?q=Renew')
    await states.getByRole('button', { name: '1 To do' }).and(page.locator('[aria-current]')).waitFor()
    await card('To do', /^Renew/).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await open('/tasks')
  })

  it('a task can be dragged to another state and back with Undo', async () => {
    const { page } = dashboard()
    const id = idOf('Renew the certificate')
    await card('To do', /^Renew/).dragTo(column('In progress'))
    await card('In progress', /^Renew/).waitFor()
    await page.getByText('moved to In progress').waitFor()
    expect(await stored(id)).toMatchObject({ status: 'in_progress', statusHistory: [{ agentId: 'user' }] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await card('To do', /^Renew/).waitFor()
    await expect.poll(async () => (await stored(id))?.['status']).toBe('todo')
  })

  it('tasks can be moved, prioritized and assigned by keyboard', async () => {
    const { page, open } = dashboard()
    const id = idOf('Count the lost')
    await open('/tasks')
    await card('Backlog', /^Count/).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('s')
    const states = page.getByRole('dialog', { name: 'Move to' })
    await states.getByText('Count the lost umbrellas').waitFor()
    await examine(dashboard(), 'task-state')
    await page.keyboard.press('4')
    const reason = page.getByRole('dialog', { name: 'Why is this task blocked?' })
    await reason.getByLabel('Waiting for').fill('An umbrella stand')
    await reason.getByRole('button', { name: 'Block' }).focus()
    await page.keyboard.press('Enter')
    await card('Blocked', /^Count/).waitFor()
    // The focus stays on the card in its new column.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Count/)
    // From here on the server responds more slowly than the person types.
    await intercept(page, '**/api/tasks', async (route) => {
      if (route.request().method() === 'PATCH') await setTimeout(answerMs)
      await route.continue()
    })
    await page.keyboard.press('p')
    await page.getByRole('dialog', { name: 'Priority' }).waitFor()
    await page.keyboard.press('5')
    await column('Blocked').getByRole('img', { name: 'Priority: Urgent' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Count/)
    await page.keyboard.press('a')
    const assign = page.getByRole('dialog', { name: 'Assign to' })
    // Wait until the dialog has the focus: Enter must reach the field.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Unassigned/)
    await assign.getByLabel('Agent').fill('scout')
    await page.keyboard.press('Enter')
    await assign.waitFor({ state: 'detached' })
    await expect
      .poll(() => stored(id))
      .toMatchObject({
        status: 'blocked',
        blockedReason: 'An umbrella stand',
        priority: 5,
        assignedAgentId: 'scout',
      })
    await page.unroute('**/api/tasks')
  })

  it('the menu of a task works with the keyboard, and returns the focus to its button', async () => {
    const { page, open } = dashboard()
    await open('/tasks')
    const button = page.getByRole('button', { name: /^Actions for Move the payment/ })
    await button.focus()
    await page.keyboard.press('Enter')
    const first = page.getByRole('menuitem', { name: 'Backlog' })
    await first.waitFor()
    await page.keyboard.press('ArrowDown')
    const hasFocus = (element: Element) => element === document.activeElement
    await expect.poll(() => first.evaluate(hasFocus)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate(hasFocus)).toBe(true)
  })

  it('a conflicting change by an agent is shown and can be overwritten', async () => {
    const { page, agent, open } = dashboard()
    // Without live updates, the agent's change isn't shown before the click.
    await page.route('**/api/events*', (route) => route.abort())
    await open('/tasks')
    await card('To do', /^Move the payment/).waitFor()
    await agent('update-task', { taskId: idOf('Move the payment'), status: 'done', agentId: 'codex' })
    await page.getByRole('button', { name: /^Actions for Move the payment/ }).click()
    await page.getByRole('menuitem', { name: 'Backlog' }).click()
    const note = page.getByRole('alert').filter({ hasText: 'Changed by someone else' })
    await note.getByText('The task is done, not todo').waitFor()
    await card('Done', /^Move the payment/).waitFor()
    await note.getByRole('button', { name: 'Overwrite' }).click()
    await card('Backlog', /^Move the payment/).waitFor()
    await page.unroute('**/api/events*')
  })

  it('the detail shows everything about a task and takes comments', async () => {
    const { page, open, agent } = dashboard()
    const id = idOf('Ask the harbour')
    const { memoryId } = (await agent('write-memory', { content: 'The winter slots begin in November.' })) as {
      memoryId: string
    }
    const link = { sourceType: 'memory', targetType: 'memory', relationType: 'references' }
    await agent('add-link', { ...link, sourceId: id, targetId: memoryId })
    await open(`/tasks/${id}`)
    const detail = page.getByRole('region', { name: 'Task', exact: true })
    await detail.getByRole('link', { name: 'The winter slots begin' }).waitFor()
    await detail.getByText('She is away until Monday.').waitFor()
    await detail.getByText('run-harbour').first().waitFor()
    await detail.getByLabel('Comment').fill('Call her deputy.')
    await detail.getByRole('button', { name: 'Add' }).click()
    await detail.locator('li').filter({ hasText: 'Call her deputy.' }).waitFor()
    await detail.getByLabel('State').click()
    await page.getByRole('option', { name: 'Done' }).click()
    await detail.getByText('moved it from In progress to Done').waitFor()
    await examine(dashboard(), 'task')
  })

  it('a comment that is being typed survives Escape, other tasks and a reload', async () => {
    const { page, open } = dashboard()
    const id = idOf('Ask the harbour')
    const detail = page.getByRole('region', { name: 'Task', exact: true })
    const comment = detail.getByLabel('Comment')
    await open('/tasks?view=list&status=any')
    await page.locator(`[data-row="${id}"]`).click()
    await comment.fill('Or ask at the')
    // Out of the field, then out of the task.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    await page.locator(`[data-row="${idOf('Renew the certificate')}"]`).click()
    await page.waitForURL(new RegExp(`/tasks/${idOf('Renew the certificate')}`))
    await expect.poll(() => comment.inputValue()).toBe('')
    await page.locator(`[data-row="${id}"]`).click()
    await expect.poll(() => comment.inputValue()).toBe('Or ask at the')
    await page.reload()
    await expect.poll(() => comment.inputValue()).toBe('Or ask at the')
    await comment.fill('Or ask at the pier.')
    await detail.getByRole('button', { name: 'Add' }).click()
    await detail.locator('li').filter({ hasText: 'Or ask at the pier.' }).waitFor()
    await expect.poll(() => comment.inputValue()).toBe('')
    expect(await page.evaluate(() => sessionStorage.getItem('holdfast-draft comment'))).toBeNull()
  })

  it('a new task and the edit of a task are kept as drafts over Escape and a reload', async () => {
    const { page, open } = dashboard()
    await open('/tasks?view=list&new=true')
    const form = page.getByRole('dialog', { name: 'New task' })
    await form.getByLabel('Title').fill('Paint the')
    await page.reload()
    await form.getByText('Draft restored').waitFor()
    expect(await form.getByLabel('Title').inputValue()).toBe('Paint the')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
    await open(`/tasks/${idOf('Renew the certificate')}?edit=true`)
    const edit = page.getByRole('region', { name: 'Edit task' })
    await edit.getByLabel('Done when').fill('Both sites')
    await page.keyboard.press('Escape')
    await edit.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Task', exact: true }).getByRole('button', { name: 'Edit' }).click()
    await edit.getByText('Draft restored').waitFor()
    expect(await edit.getByLabel('Done when').inputValue()).toBe('Both sites')
    await edit.getByRole('button', { name: 'Cancel' }).click()
    await edit.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('form task')))).toEqual(
      [],
    )
  })

  it('concurrent edits of a task don’t overwrite each other', async () => {
    const { page, open, agent } = dashboard()
    const id = idOf('Renew the certificate')
    await open(`/tasks/${id}`)
    await page.getByRole('region', { name: 'Task', exact: true }).getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('region', { name: 'Edit task' })
    await form.getByLabel('Title').fill('Renew both certificates')
    await agent('update-task', { taskId: id, doneWhen: 'Both sites show next year.' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Done when: Both sites show next year.').waitFor()
    await examine(dashboard(), 'task-conflict')
    await form.getByRole('button', { name: 'Keep my changes' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => stored(id))
      .toMatchObject({
        title: 'Renew both certificates',
        doneWhen: 'Both sites show next year.',
      })
  })

  it('the list can be filtered, and many tasks moved at once', async () => {
    const { page, open } = dashboard()
    await open('/tasks?view=list&assignee=codex')
    const rows = page.getByRole('table', { name: 'Tasks' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(3)
    await examine(dashboard(), 'tasks-list')
    const sorted = page.getByRole('columnheader', { name: 'Updated' })
    await sorted.getByRole('button').click()
    await page.waitForURL(/sort=updated/)
    expect(await sorted.getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const bar = page.getByRole('region', { name: 'Selected tasks' })
    await bar.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('dialog', { name: 'Move to' }).getByRole('button', { name: 'To do' }).click()
    await page.getByText('2 tasks: moved to To do').waitFor()
    await expect.poll(async () => (await stored(idOf('Print the new')))?.['status']).toBe('todo')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() => stored(idOf('Print the new')))
      .toMatchObject({
        status: 'blocked',
        blockedReason: 'The printer waits for a ribbon, which comes on Thursday.',
      })
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('zeppelin')
    await page.getByText('No tasks match this filter.').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    // What is done is only listed on request, or if a search finds it.
    await expect.poll(() => rows.count()).toBe(6)
    await page.getByText('5 open tasks').waitFor()
    const parts = page.getByRole('radiogroup', { name: 'Open or done' })
    await parts.getByText(/^Done2/).click()
    await expect.poll(() => rows.count()).toBe(3)
    await parts.getByText(/^Open5/).click()
    await expect.poll(() => rows.count()).toBe(6)
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Any state' }).click()
    await expect.poll(() => rows.count()).toBe(8)
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('bicycle fares')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('')
    await page.getByRole('button', { name: 'Created', exact: true }).first().click()
    const days = page.getByRole('dialog', { name: 'Created' })
    await days.getByLabel('To').fill('2020-12-31')
    await page.getByText('No tasks match this filter.').waitFor()
    await days.getByRole('button', { name: 'Today' }).click()
    await page.waitForURL(/from=\d{4}-\d\d-\d\d/)
    // Only the open ones.
    await expect.poll(() => rows.count()).toBe(6)
    await page.keyboard.press('Escape')
  })

  it('a task can be archived, restored, and deleted permanently after a typed confirmation', async () => {
    const { page, open } = dashboard()
    const id = idOf('Count the lost')
    await open('/tasks?view=list&q=umbrellas')
    await page.getByRole('link', { name: /^Count/ }).focus()
    await page.keyboard.press('#')
    await page.getByText('1 task archived').waitFor()
    await page.getByText('No tasks match this filter.').waitFor()
    await open(`/tasks/${id}?state=archived`)
    const detail = page.getByRole('region', { name: 'Task', exact: true })
    for (const action of ['Restore', 'Archive', 'Delete permanently']) {
      await detail.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    const question = page.getByRole('dialog', { name: 'Delete this task permanently?' })
    await question.getByLabel('Type delete to confirm').fill('delete')
    await question.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('No archived tasks.').waitFor()
    expect(await stored(id)).toBeUndefined()
  })

  it('undoing a change of several leaves a task that has changed since, and names it', async () => {
    const { page, open, agent } = dashboard()
    const [first, second, third] = await Promise.all(
      ['Paint hull A', 'Paint hull B', 'Paint hull C'].map(async (title) =>
        String((await agent('create-task', { title, priority: 3 }))['taskId']),
      ),
    )
    await open('/tasks?view=list&q=hull')
    const rows = page.getByRole('table', { name: 'Tasks' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(4)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page
      .getByRole('region', { name: 'Selected tasks' })
      .getByRole('button', { name: 'Priority', exact: true })
      .click()
    await page.getByRole('dialog', { name: 'Priority' }).getByRole('button', { name: 'Lowest' }).click()
    await page.getByText('3 tasks: priority Lowest').waitFor()
    await agent('update-task', { taskId: third, doneWhen: 'Two coats are dry.' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 undone. “Paint hull C” has changed since.').waitFor()
    expect(await stored(first ?? '')).toMatchObject({ priority: 3 })
    expect(await stored(second ?? '')).toMatchObject({ priority: 3 })
    expect(await stored(third ?? '')).toMatchObject({ priority: 1, doneWhen: 'Two coats are dry.' })
  })
})

async function createTasks({ agent }: Pick<Dashboard, 'agent'>, ids: Map<string, string>): Promise<void> {
  for (const story of stories) {
    const { taskId } = (await agent('create-task', { ...story, agentId: 'planner' })) as { taskId: string }
    ids.set(story.title, taskId)
  }
}
