import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeDashboard, examine, type Dashboard } from './dashboard.ts'

/** What is to be done in a small ferry line's office. */
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

  it('are made from an empty board, by key', async () => {
    const { page, open } = dashboard()
    await open('/tasks')
    await page.getByText('Nothing is to be done yet.').waitFor()
    await examine(dashboard(), 'tasks-none')
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New task' })
    await form.getByRole('button', { name: 'Make task' }).click()
    await form.getByText('What is to be done', { exact: true }).waitFor()
    await form.getByLabel('Title').fill('Water the ferns in the office')
    await form.getByLabel('Done when').fill('The soil is dark.')
    await form.getByLabel('Description').fill('Twice a week, **not** the cactus.')
    await form.getByLabel('Tags').fill('office')
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Make task' }).click()
    await card('To do', /^Water the ferns/).waitFor()
  })

  it('stand on a board, with what matters of each', async () => {
    const { open, agent } = dashboard()
    await tellStories(dashboard(), ids)
    await agent('update-task', {
      taskId: idOf('Ask the harbour'),
      comment: 'She is away until Monday.',
      agentRunId: 'run-harbour',
      agentId: 'scout',
    })
    await open('/tasks')
    await card('Blocked', /^Print the new/).waitFor()
    await column('In progress').getByText('run-harbour').waitFor()
    await column('Blocked').getByText('The printer waits for a ribbon').waitFor()
    await examine(dashboard(), 'tasks-board')
  })

  it('are dragged to another state, and back by what the note offers', async () => {
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

  it('are moved, rated and given away by keys alone', async () => {
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
    const reason = page.getByRole('dialog', { name: 'What does it wait for?' })
    await reason.getByLabel('Waits for').fill('An umbrella stand')
    await reason.getByRole('button', { name: 'Block' }).focus()
    await page.keyboard.press('Enter')
    await card('Blocked', /^Count/).waitFor()
    // The keyboard goes on from the card, wherever it stands now.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Count/)
    // From here on the server is slower than the fingers.
    await page.route('**/api/tasks', async (route) => {
      if (route.request().method() === 'PATCH') await setTimeout(answerMs)
      await route.continue()
    })
    await page.keyboard.press('p')
    await page.getByRole('dialog', { name: 'Priority' }).waitFor()
    await page.keyboard.press('5')
    await column('Blocked').getByText('At once').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Count/)
    await page.keyboard.press('a')
    const assign = page.getByRole('dialog', { name: 'Who is to do it?' })
    // The dialog takes the focus when it is there, and Enter is meant for the field.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Nobody yet/)
    await assign.getByLabel('An agent').fill('scout')
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

  it('go back where an agent was faster, and say so', async () => {
    const { page, agent, open } = dashboard()
    // Else what the agent does is here before the click.
    await page.route('**/api/events*', (route) => route.abort())
    await open('/tasks')
    await card('To do', /^Move the payment/).waitFor()
    await agent('update-task', { taskId: idOf('Move the payment'), status: 'done', agentId: 'codex' })
    await page.getByRole('button', { name: /^What to do with Move the payment/ }).click()
    await page.getByRole('menuitem', { name: 'Backlog' }).click()
    const note = page.getByRole('alert').filter({ hasText: 'Somebody was faster' })
    await note.getByText('The task is done, not todo').waitFor()
    await card('Done', /^Move the payment/).waitFor()
    await note.getByRole('button', { name: 'Do it all the same' }).click()
    await card('Backlog', /^Move the payment/).waitFor()
    await page.unroute('**/api/events*')
  })

  it('show everything about one, and take comments', async () => {
    const { page, open, agent } = dashboard()
    const id = idOf('Ask the harbour')
    const { memoryId } = (await agent('write-memory', { content: 'The winter slots begin in November.' })) as {
      memoryId: string
    }
    const link = { sourceType: 'memory', targetType: 'memory', relationType: 'references' }
    await agent('add-link', { ...link, sourceId: id, targetId: memoryId })
    await open(`/tasks/${id}`)
    const detail = page.getByRole('dialog', { name: 'Task', exact: true })
    await detail.getByRole('link', { name: 'The winter slots begin' }).waitFor()
    await detail.getByText('She is away until Monday.').waitFor()
    await detail.getByLabel('Comment').fill('Call her deputy.')
    await detail.getByRole('button', { name: 'Add' }).click()
    await detail.locator('li').filter({ hasText: 'Call her deputy.' }).waitFor()
    await detail.getByLabel('State').click()
    await page.getByRole('option', { name: 'Done' }).click()
    await detail.getByText('moved it from In progress to Done').waitFor()
    await examine(dashboard(), 'task')
  })

  it('are not overwritten where two edit one', async () => {
    const { page, open, agent } = dashboard()
    const id = idOf('Renew the certificate')
    await open(`/tasks/${id}`)
    await page.getByRole('dialog', { name: 'Task', exact: true }).getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit task' })
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

  it('are listed, narrowed, and moved many at once', async () => {
    const { page, open } = dashboard()
    await open('/tasks?view=list&assignee=codex')
    const rows = page.getByRole('table', { name: 'Tasks' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(3)
    await examine(dashboard(), 'tasks-list')
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
    await page.getByText('No task is like that.').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => rows.count()).toBe(8)
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('bicycle fares')
    await expect.poll(() => rows.count()).toBe(2)
  })

  it('are archived, brought back, and deleted for good only by typing it', async () => {
    const { page, open } = dashboard()
    const id = idOf('Count the lost')
    await open('/tasks?view=list&q=umbrellas')
    await page.getByRole('link', { name: /^Count/ }).focus()
    await page.keyboard.press('#')
    await page.getByText('1 task archived').waitFor()
    await page.getByText('No task is like that.').waitFor()
    await open(`/tasks/${id}?state=archived`)
    const detail = page.getByRole('dialog', { name: 'Task', exact: true })
    await detail.getByRole('button', { name: 'Restore' }).click()
    await detail.getByRole('button', { name: 'Archive' }).click()
    await detail.getByRole('button', { name: 'Delete for good' }).click()
    const question = page.getByRole('dialog', { name: 'Delete this task for good?' })
    await question.getByLabel('Type delete to go on').fill('delete')
    await question.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByText('No task is archived.').waitFor()
    expect(await stored(id)).toBeUndefined()
  })
})

async function tellStories({ agent }: Pick<Dashboard, 'agent'>, ids: Map<string, string>): Promise<void> {
  for (const story of stories) {
    const { taskId } = (await agent('create-task', { ...story, agentId: 'planner' })) as { taskId: string }
    ids.set(story.title, taskId)
  }
}
