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

  it('says what to do where nobody has written, and counts what waits', async () => {
    const { page, open } = dashboard()
    await open('/messages')
    await page.getByText('No agent has written to you.').waitFor()
    await examine(dashboard(), 'inbox-none')
    asked = await tellStories(dashboard())
    await expect.poll(() => waiting().textContent()).toBe('Inbox2')
    await expect.poll(() => threads().count()).toBe(2)
    await threads().first().getByText('Waits for you').first().waitFor()
    await examine(dashboard(), 'inbox')
  })

  it('shows a thread, takes an answer, and acknowledges with it', async () => {
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
    await thread().getByText('You acknowledged it').waitFor()
    await expect.poll(() => waiting().textContent()).toBe('Inbox1')
    expect(await inboxOf('codex')).toMatchObject([
      { content: 'Yes, but only from the first of December.', senderType: 'user', threadId: asked },
      { targetId: '*' },
    ])
  })

  it('acknowledges with a note, and all that is shown at once', async () => {
    const { page, agent, open } = dashboard()
    await open('/messages')
    await threads().first().getByRole('link').click()
    await thread().getByRole('button', { name: 'What to do with this message' }).click()
    await page.getByRole('menuitem', { name: 'Acknowledge with a note' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('Thank you, seen.')
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await thread().getByText('Thank you, seen.').waitFor()
    await expect.poll(() => waiting().textContent()).toBe('Inbox')
    for (const content of ['The backup ran.', 'The backup ran again.'])
      await agent('send-message', { targetId: 'user', content, agentId: 'scout' })
    // Beside a thread that is being read, nothing moves unasked.
    await page.getByRole('button', { name: '2 new' }).click()
    await page.getByRole('button', { name: 'Acknowledge all 2 that wait here' }).click()
    await page.getByText('2 messages acknowledged').waitFor()
    await expect.poll(() => waiting().textContent()).toBe('Inbox')
  })

  it('lets people see what agents tell each other, and step in', async () => {
    const { page } = dashboard()
    await page.getByRole('radiogroup', { name: 'Which messages' }).getByText('Among agents').click()
    await page.getByRole('link', { name: 'Shall we swap the migration' }).click()
    await thread().getByText('scout acknowledged it').waitFor()
    await thread().getByLabel('Answer to codex').fill('Keep the migration; scout does the posters.')
    await thread().getByRole('button', { name: 'Send' }).click()
    await thread().getByText('You to codex').waitFor()
  })

  it('writes to one agent or to all from templates, beside what they will see', async () => {
    const { page, open } = dashboard()
    await open('/messages')
    await threads().first().waitFor()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New message' })
    await form.getByText('From now on', { exact: true }).click()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Who it is for').waitFor()
    await form.getByText('Still to be filled in: [this], [that], [the reason]').waitFor()
    await form.getByRole('combobox', { name: 'Agent' }).fill('codex')
    const text = 'From now on, prefer the short form of dates over the long one.'
    await form.getByRole('textbox', { name: 'Message' }).fill(text)
    const view = form.getByRole('group', { name: 'The message as the agent sees it' })
    await view.getByText('from="user" to="codex" category="directive" priority="4"').waitFor()
    expect(await view.textContent()).toContain(`>\n${text}\n<`)
    await examine(dashboard(), 'message-new')
    await form.getByRole('button', { name: 'Send' }).click()
    await thread().getByText(text).waitFor()
    expect((await inboxOf('codex'))[0]).toMatchObject({ content: text, category: 'directive', priority: 4 })
    await page.getByRole('button', { name: 'New message' }).click()
    await form.getByText('All agents of the vault').click()
    await form.getByText('Stop and report', { exact: true }).click()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await inboxOf('scout'))[0]).toMatchObject({ targetId: '*', subject: 'Stop and report', priority: 5 })
  })

  it('takes back what was sent, once somebody has said so, and knows messages by their own ids', async () => {
    const { page, open } = dashboard()
    const sent = (await inboxOf('codex')).find(({ content }) => content.startsWith('Yes, but only'))
    const { messageId, threadId } = sent ?? { messageId: '', threadId: '' }
    expect(messageId).not.toBe(threadId)
    await open(`/messages/${messageId}`)
    await page.waitForURL(new RegExp(`/messages/${threadId}$`))
    await thread().getByRole('button', { name: 'What to do with this message' }).last().click()
    await page.getByRole('menuitem', { name: 'Delete for good' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
    await page.getByText('The message is gone').waitFor()
    await thread().getByText('Yes, but only').waitFor({ state: 'detached' })
    expect((await inboxOf('codex')).map(({ content }) => content)).not.toContain(
      'Yes, but only from the first of December.',
    )
    await open(`/messages/${messageId}`)
    await page.getByText('There is no such message.').waitFor()
  })
})

interface Story {
  messageId: string
  threadId: string
  content: string
}

/** Two that wait for the person, and one among agents. Returns the thread of the question. */
async function tellStories({ agent }: Pick<Dashboard, 'agent'>): Promise<string> {
  const question = (await agent('send-message', {
    targetId: 'user',
    template: 'question',
    subject: 'Winter timetable',
    content:
      'May I change the sailing times of route 7 as of **December**?\n\n- first boat at 6:40\n- last boat at 21:20',
    agentId: 'codex',
  })) as unknown as Story
  await agent('send-message', {
    targetId: '*',
    template: 'alert',
    content: 'The ticket printer at the north pier has no ribbon. Nobody print before Thursday.',
    agentId: 'scout',
  })
  const offer = (await agent('send-message', {
    targetId: 'scout',
    category: 'question',
    content: 'Shall we swap the migration for the posters?',
    agentId: 'codex',
  })) as unknown as Story
  await agent('ack-message', { messageId: offer.messageId, agentId: 'scout' })
  return question.messageId
}
