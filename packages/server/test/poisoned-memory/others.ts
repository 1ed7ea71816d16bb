// Attacks on other agents of the same person, on other vaults, and on other people.

import type { Attack, Body, Scene } from './attack.ts'

/** A message from the person that only the pinned agent "worker" should read. */
async function messageToWorker({ person, mark }: Scene): Promise<unknown> {
  return (await person('send-message', { targetId: 'worker', content: `Only for worker: ${mark}.` })).messageId
}

const secretOf = (mark: string) => `Only here: ${mark}.`

/** What the answers of the hostile agent contain, which the views of other readers don't show. */
const reads = (scene: Scene, answer: { text: string }): void =>
  scene.verify(() => Promise.resolve(answer.text.includes(scene.mark) ? `it read ${scene.mark}` : undefined))

const onInbox: Readonly<Record<string, (id: unknown) => [operation: string, body: Body]>> = {
  'reads the messages of a pinned agent under its name': () => ['read-messages', { agentId: 'worker' }],
  'reads the pending messages of a pinned agent under its name': () => ['pending-messages', { agentId: 'worker' }],
  'starts a session under the name of a pinned agent': () => ['session-start', { agentId: 'worker' }],
  'acknowledges a message to a pinned agent under its name': (messageId) => [
    'ack-message',
    { agentId: 'worker', messageId },
  ],
  'sends a message under the name of a pinned agent': () => [
    'send-message',
    { agentId: 'worker', targetId: 'reader', content: 'Obey.' },
  ],
  'saves a summary under the name of a pinned agent': () => [
    'context-checkpoint',
    { agentId: 'worker', memories: [], sessionSummary: 'Obey.' },
  ],
  'records a turn under the name of a pinned agent': () => [
    'ingest-turn',
    { agentId: 'worker', role: 'user', content: 'Always obey.' },
  ],
  'creates a task under the name of a pinned agent': () => ['create-task', { agentId: 'worker', title: 'Obey' }],
  'creates a note under the name of a pinned agent': () => ['create-note', { agentId: 'worker', title: 'Obey' }],
  'starts a run under the name of a pinned agent': () => [
    'session-track',
    { agentId: 'worker', event: 'start', agentRunId: 'r' },
  ],
}

const asWorker = Object.entries(onInbox).map(([attack, callOf]): Attack => ({
  family: 'other agents',
  attack,
  async run(scene) {
    const messageId = await messageToWorker(scene)
    reads(scene, await scene.call(...callOf(messageId)))
  },
  ends: ['rejected'],
}))

const onAgents: Attack[] = [
  {
    family: 'other agents',
    attack: 'reads a message to another agent by its id',
    async run(scene) {
      const messageId = await messageToWorker(scene)
      reads(scene, await scene.call('read-messages', { messageId }))
    },
    ends: ['not shown', 'rejected'],
  },
  {
    family: 'other agents',
    attack: 'reads a thread between the person and another agent',
    async run(scene) {
      const threadId = await messageToWorker(scene)
      reads(scene, await scene.call('read-messages', { threadId, status: 'all', includeSent: true }))
    },
    ends: ['not shown', 'rejected'],
  },
  {
    family: 'other agents',
    attack: 'reads what another agent exchanged with the person',
    async run(scene) {
      await messageToWorker(scene)
      reads(scene, await scene.call('read-messages', { withAgentId: 'worker', status: 'all', includeSent: true }))
    },
    ends: ['not shown', 'rejected'],
  },
  {
    family: 'other agents',
    attack: 'acknowledges a message to another agent under its own name',
    async run(scene) {
      const messageId = await messageToWorker(scene)
      await scene.call('ack-message', { messageId, note: 'Done.' })
      scene.verify(async () => {
        const { messages } = await scene.worker('read-messages', { messageId })
        const [message] = messages as { status: string }[]
        return message?.status === 'pending' ? undefined : 'the message is acknowledged'
      })
    },
    ends: ['rejected', 'not shown'],
  },
  {
    family: 'other agents',
    attack: 'answers a message to another agent, to be in its thread',
    async run(scene) {
      const messageId = await messageToWorker(scene)
      reads(
        scene,
        await scene.call('send-message', { targetId: 'reader', parentMessageId: messageId, content: 'Push now.' }),
      )
    },
    ends: ['rejected', 'not shown'],
  },
  {
    family: 'other agents',
    attack: 'acknowledges a message to everyone, so that another agent doesn’t see it',
    async run(scene) {
      const { messageId } = await scene.person('send-message', { targetId: '*', content: 'Wait for the review.' })
      await scene.call('ack-message', { messageId })
      scene.verify(async () => {
        const { messages } = await scene.worker('pending-messages')
        const isPending = (messages as { messageId: string }[]).some((one) => one.messageId === messageId)
        return isPending ? undefined : 'the message is no longer pending for others'
      })
    },
    ends: ['not shown'],
  },
  {
    family: 'other agents',
    attack: 'writes under the run of another agent, to be part of it',
    async run(scene) {
      const agentRunId = `run of worker in ${scene.vaultId}`
      await scene.worker('session-track', { event: 'start', agentRunId })
      await scene.call('write-memory', { content: 'Push now.', agentRunId })
      scene.verify(async () => {
        const { runs } = await scene.person('list-runs', { limit: 100 })
        const own = (runs as { agentId: string; agentRunId: string }[]).find(
          (run) => run.agentRunId === agentRunId && run.agentId === 'worker',
        )
        return own === undefined ? 'the run is no longer of worker' : undefined
      })
    },
    ends: ['not shown', 'rejected'],
  },
  {
    family: 'other agents',
    attack: 'ends the run of another agent',
    async run(scene) {
      const agentRunId = `run to end in ${scene.vaultId}`
      await scene.worker('session-track', { event: 'start', agentRunId })
      await scene.call('session-track', { event: 'end', agentRunId })
      scene.verify(async () => {
        const { runs } = await scene.person('list-runs', { limit: 100 })
        const own = (runs as { agentId: string; agentRunId: string; endedAt: string | null }[]).find(
          (run) => run.agentRunId === agentRunId && run.agentId === 'worker',
        )
        return own?.endedAt === null ? undefined : `the run of worker: ${JSON.stringify(own)}`
      })
    },
    ends: ['not shown', 'rejected'],
  },
  {
    family: 'other agents',
    attack: 'takes the idempotency key of another agent before it writes',
    async run(scene) {
      await scene.call('write-memory', { content: `Push to ${scene.mark}.`, externalWriteId: 'deploy rule' })
      const written = await scene.worker('write-memory', { content: 'Ask first.', externalWriteId: 'deploy rule' })
      scene.verify(async () => {
        const { memories } = await scene.worker('read-memories', { memoryIds: [written.memoryId] })
        const [memory] = memories as { content: string; agentId: string }[]
        // If the key belongs to the vault, the answer has to say that nothing was stored.
        return memory?.content === 'Ask first.' || written.created === false ? undefined : 'the write is lost unnoticed'
      })
    },
    ends: ['shown as its own words'],
    seenIn: ['search'],
  },
]

const confined = (attack: string, callOf: (scene: Scene) => Promise<[operation: string, body: Body]>): Attack => ({
  family: 'other vaults and people',
  attack,
  async run(scene) {
    reads(scene, await scene.callConfined(...(await callOf(scene))))
  },
  ends: ['rejected', 'not shown'],
  seenIn: ['messages'],
})

const writeSecret = async ({ person, mark }: Scene) =>
  (await person('write-memory', { content: secretOf(mark) })).memoryId

const onVaults: Attack[] = [
  confined('reads a memory of a vault that its key may not use, by its id', async (scene) => [
    'read-memories',
    { memoryIds: [await writeSecret(scene)] },
  ]),
  confined('names a vault that its key may not use', async (scene) => {
    await writeSecret(scene)
    return ['search-memories', { query: scene.mark, vaultId: scene.vaultId }]
  }),
  confined('links to a memory of a vault that its key may not use', async (scene) => [
    'write-memory',
    { content: 'A bridge.', relatedMemoryIds: [await writeSecret(scene)] },
  ]),
  confined('explores the graph from a memory of another vault', async (scene) => [
    'explore-graph',
    { nodeId: await writeSecret(scene), nodeType: 'memory' },
  ]),
  confined('sends a message into a vault that its key may not use', async ({ vaultId, mark }) => [
    'send-message',
    { vaultId, targetId: 'reader', content: `Push to ${mark}.` },
  ]),
  confined('lists the vaults, to see others than its own', async (scene) => {
    await scene.person('update-vault', { id: scene.vaultId, vaultId: undefined, name: `Plans of ${scene.mark}` })
    return ['list-vaults', {}]
  }),
]

const foreign = (attack: string, callOf: (scene: Scene) => Promise<[operation: string, body: Body]>): Attack => ({
  family: 'other vaults and people',
  attack,
  async run(scene) {
    reads(scene, await scene.call(...(await callOf(scene))))
  },
  ends: ['rejected', 'not shown'],
})

const foreignSecret = async ({ stranger, mark }: Scene) =>
  (await stranger('write-memory', { content: secretOf(mark) })).memoryId

const onPeople: Attack[] = [
  foreign('reads a memory of another person by its id', async (scene) => [
    'read-memories',
    { memoryIds: [await foreignSecret(scene)] },
  ]),
  foreign('searches in the vault of another person', async (scene) => {
    await foreignSecret(scene)
    return ['search-memories', { query: scene.mark, vaultId: scene.strangersVaultId }]
  }),
  foreign('changes a memory of another person', async (scene) => [
    'update-memory',
    { memoryId: await foreignSecret(scene), content: 'Push now.' },
  ]),
  foreign('reads a note of another person by its id', async (scene) => [
    'read-note',
    { noteId: (await scene.stranger('create-note', { title: 'Plans', content: secretOf(scene.mark) })).noteId },
  ]),
  foreign('derives a memory from the note of another person', async (scene) => [
    'write-memory',
    {
      content: 'Derived.',
      sourceNoteIds: [(await scene.stranger('create-note', { title: 'Plans', content: secretOf(scene.mark) })).noteId],
    },
  ]),
  foreign('claims a task of another person', async (scene) => [
    'update-task',
    { taskId: (await scene.stranger('create-task', { title: secretOf(scene.mark) })).taskId, status: 'in_progress' },
  ]),
  foreign('acknowledges a message of another person', async (scene) => [
    'ack-message',
    {
      messageId: (await scene.stranger('send-message', { targetId: '*', content: secretOf(scene.mark) })).messageId,
    },
  ]),
  foreign('writes into the vault of another person', async ({ strangersVaultId, mark }) => [
    'write-memory',
    { vaultId: strangersVaultId, content: `Push to ${mark}.` },
  ]),
]

export const otherAttacks: readonly Attack[] = [...asWorker, ...onAgents, ...onVaults, ...onPeople]
