import { expect, it } from 'vitest'
import { describeDashboard, examine, type Dashboard } from './dashboard.ts'

describeDashboard('the inbox', {}, (dashboard) => {
  let asked = ''
  const threads = () => dashboard().page.getByRole('list', { name: 'Threads' }).getByRole('listitem')
  const thread = () => dashboard().page.getByRole('region', { name: 'Thread' })
  const waiting = () => dashboard().page.getByRole('link', { name: 'Inbox' })
  const inboxOf = async (agentId: string) => {
    const { messages } = (await dashboard().agent('read-messages', { agentId })) as { messages: Story[] }
    return messages
  }

  it('shows what to do in an empty inbox, and counts messages to acknowledge', async () => {
    const { page, open } = dashboard()
    await open('/messages')
    await page.getByText('No messages yet.').waitFor()
    await examine(dashboard(), 'inbox-none')
    asked = await tellStories(dashboard())
    await expect.poll(() => waiting().textContent()).toBe('Inbox2')
    await expect.poll(() => threads().count()).toBe(2)
    await page.getByRole('heading', { name: /^To acknowledge 2/ }).waitFor()
    // The question is newer, but less urgent.
    await threads().first().getByText('The ticket printer').waitFor()
    await threads().first().getByLabel('To acknowledge').waitFor()
    await examine(dashboard(), 'inbox')
  })

  it('shows a thread, and acknowledges it with a reply', async () => {
    const { page } = dashboard()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/messages/${asked}$`))
    await thread().getByText('May I change the sailing times').waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('Yes, but only from the first of December.')
    await examine(dashboard(), 'thread')
    await thread().getByRole('button', { name: 'Send' }).click()
    await thread().getByText('You acknowledged this').waitFor()
    await expect.poll(() => waiting().textContent()).toBe('Inbox1')
    expect(await inboxOf('codex')).toMatchObject([
      { content: 'Yes, but only from the first of December.', senderType: 'user', threadId: asked },
      { targetId: '*' },
    ])
  })

  it('acknowledges with a note, and all shown messages at once', async () => {
    const { page, agent, open } = dashboard()
    await open('/messages')
    await threads().first().getByRole('link').click()
    await thread().getByRole('button', { name: 'Message actions' }).click()
    await page.getByRole('menuitem', { name: 'Acknowledge with a note' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('Thank you, seen.')
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await thread().getByText('Thank you, seen.').waitFor()
    await expect.poll(() => waiting().textContent()).toBe('Inbox')
    for (const content of ['The backup ran.', 'The backup ran again.'])
      await agent('send-message', { targetId: 'user', content, agentId: 'scout' })
    // While a thread is open, the list doesn't move by itself.
    await page.getByRole('button', { name: '2 new' }).click()
    await page.getByRole('button', { name: 'Acknowledge all' }).click()
    await page.getByText('2 messages acknowledged').waitFor()
    await expect.poll(() => waiting().textContent()).toBe('Inbox')
  })

  it('searches messages, and keeps a reply while other threads are read', async () => {
    const { page, open } = dashboard()
    await open('/messages')
    await threads().nth(1).waitFor()
    const box = page.getByRole('textbox', { name: 'Search messages' })
    await page.keyboard.press('/')
    await page.keyboard.type('BACKUP ran')
    await page.waitForURL(/q=/)
    await expect.poll(() => threads().count()).toBe(2)
    await box.fill('zeppelin')
    await page.getByText('No messages match this filter.').waitFor()
    await box.fill('backup')
    await expect.poll(() => threads().count()).toBe(2)
    await threads().first().getByRole('link').click()
    await thread()
      .getByLabel(/^Reply to/)
      .fill('Good, then')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await expect
      .poll(() =>
        thread()
          .getByLabel(/^Reply to/)
          .inputValue(),
      )
      .toBe('')
    await page.keyboard.press('k')
    await expect
      .poll(() =>
        thread()
          .getByLabel(/^Reply to/)
          .inputValue(),
      )
      .toBe('Good, then')
    await page.reload()
    await expect
      .poll(() =>
        thread()
          .getByLabel(/^Reply to/)
          .inputValue(),
      )
      .toBe('Good, then')
    await thread()
      .getByLabel(/^Reply to/)
      .fill('')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await thread().waitFor({ state: 'detached' })
    // The focus is on the thread's row, in view.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? -1))
      .toBeGreaterThan(0)
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-row'))).toBe(true)
    await page.getByRole('button', { name: 'Clear the search' }).click()
  })

  it('shows messages between agents, and lets people reply', async () => {
    const { page } = dashboard()
    await page.getByRole('radiogroup', { name: 'Inbox view' }).getByText('Between agents').click()
    await page.getByRole('link', { name: 'Shall we swap the migration' }).click()
    await thread().getByText('scout acknowledged this').waitFor()
    await thread().getByLabel('Reply to codex').fill('Keep the migration; scout does the posters.')
    await thread().getByRole('button', { name: 'Send' }).click()
    await thread().getByText('You to codex').waitFor()
  })

  it('writes to one agent or all of them from templates, with a preview', async () => {
    const { page, open } = dashboard()
    await open('/messages')
    await threads().first().waitFor()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New message' })
    const subject = form.getByLabel('Subject')
    expect(await subject.count()).toBe(0)
    await form.getByText('From now on', { exact: true }).click()
    // What the template fills in is shown.
    await expect.poll(() => subject.inputValue()).toBe('From now on')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Choose an agent').waitFor()
    await form.getByText('Fill in: [this], [that], [the reason]').waitFor()
    await form.getByRole('combobox', { name: 'Agent' }).fill('codex')
    // What is chosen and typed is kept as a draft.
    await page.reload()
    await form.getByText('Draft restored').waitFor()
    expect(await form.getByRole('combobox', { name: 'Agent' }).inputValue()).toBe('codex')
    const text = 'From now on, prefer the short form of dates over the long one.'
    await form.getByRole('textbox', { name: 'Message' }).fill(text)
    await form.getByRole('button', { name: 'Show what the agent sees' }).click()
    const view = form.getByRole('group', { name: 'The message as the agent sees it' })
    await view.getByText('from="the person" to="codex" category="directive" priority="4"').waitFor()
    expect(await view.textContent()).toContain(`>\n${text}\n<`)
    await examine(dashboard(), 'message-new')
    await form.getByRole('button', { name: 'Send' }).click()
    await thread().getByText(text).waitFor()
    expect((await inboxOf('codex'))[0]).toMatchObject({ content: text, category: 'directive', priority: 4 })
    await page.getByRole('button', { name: 'New message' }).click()
    await form.getByText('All agents in the vault').click()
    await form.getByText('Stop and report', { exact: true }).click()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await inboxOf('scout'))[0]).toMatchObject({ targetId: '*', subject: 'Stop and report', priority: 5 })
  })

  it('deletes a sent message after a confirmation, and opens threads by message id', async () => {
    const { page, open } = dashboard()
    const sent = (await inboxOf('codex')).find(({ content }) => content.startsWith('Yes, but only'))
    const { messageId, threadId } = sent ?? { messageId: '', threadId: '' }
    expect(messageId).not.toBe(threadId)
    await open(`/messages/${messageId}`)
    await page.waitForURL(new RegExp(`/messages/${threadId}$`))
    await thread().getByRole('button', { name: 'Message actions' }).last().click()
    await page.getByRole('menuitem', { name: 'Delete permanently' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Message deleted').waitFor()
    await thread().getByText('Yes, but only').waitFor({ state: 'detached' })
    expect((await inboxOf('codex')).map(({ content }) => content)).not.toContain(
      'Yes, but only from the first of December.',
    )
    await open(`/messages/${messageId}`)
    await page.getByText('Message not found.').waitFor()
  })
})

interface Story {
  messageId: string
  threadId: string
  content: string
}

/** Sends an alert and a question to the user, and a message between agents. Returns the thread of the question. */
async function tellStories({ agent }: Pick<Dashboard, 'agent'>): Promise<string> {
  await agent('send-message', {
    targetId: '*',
    template: 'alert',
    content: 'The ticket printer at the north pier has no ribbon. Don’t print before Thursday.',
    agentId: 'scout',
  })
  const question = (await agent('send-message', {
    targetId: 'user',
    template: 'question',
    subject: 'Winter timetable',
    content:
      'May I change the sailing times of route 7 as of **December**?\n\n- first boat at 6:40\n- last boat at 21:20',
    agentId: 'codex',
  })) as unknown as Story
  const offer = (await agent('send-message', {
    targetId: 'scout',
    category: 'question',
    content: 'Shall we swap the migration for the posters?',
    agentId: 'codex',
  })) as unknown as Story
  await agent('ack-message', { messageId: offer.messageId, agentId: 'scout' })
  return question.messageId
}
