/**
 * The API as a table: each route, its input with limits, and its answer. Copied from the specification, not from the code, so the two
 * can disagree.
 */
export interface Route {
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  scopes: readonly ('read' | 'write' | 'search' | 'admin')[]
  fields: Readonly<Record<string, Field>>
  /** A successful call in a world with one of everything. */
  example(world: World): Record<string, unknown>
  /** The fields of its answer. */
  answers: readonly string[]
  status: readonly number[]
}

export interface Field {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'uuid' | 'url'
  isRequired?: true
  /** The length of a text, the value of a number, or the size of a list. */
  min?: number
  max?: number
  oneOf?: readonly string[]
  default?: unknown
}

/** Ids of one of everything, in a separate vault. */
export interface World {
  vaultId: string
  memoryId: string
  otherMemoryId: string
  taskId: string
  noteId: string
  folderId: string
  linkId: string
  /** To everyone, from another agent. */
  messageId: string
  webhookId: string
}

const text = (min?: number, max?: number): Field => ({
  type: 'string',
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
})
const int = (min: number, max: number, preset?: number): Field => ({
  type: 'integer',
  min,
  max,
  ...(preset !== undefined && { default: preset }),
})
const share = (preset: number): Field => ({ type: 'number', min: 0, max: 1, default: preset })
const flag = (preset?: boolean): Field => ({ type: 'boolean', ...(preset !== undefined && { default: preset }) })
const list = (min?: number, max?: number): Field => ({ ...text(min, max), type: 'array' })
const one = (oneOf: readonly string[], preset?: string): Field => ({
  type: 'string',
  oneOf,
  ...(preset !== undefined && { default: preset }),
})
const id: Field = { type: 'uuid' }
const url: Field = { type: 'url', max: 2048 }
const object: Field = { type: 'object' }
const required = (field: Field): Field => ({ ...field, isRequired: true })

const memoryTypes = ['fact', 'skill', 'preference', 'constraint', 'task', 'episodic', 'correction']
const taskStatuses = ['backlog', 'todo', 'in_progress', 'done', 'blocked']
const nodeTypes = ['note', 'memory']
const documentTypes = ['soul', 'instructions', 'skills', 'checks']
const relationTypes = [
  'wiki_link',
  'derived_from',
  'contradicts',
  'refines',
  'part_of',
  'supersedes',
  'source_of',
  'references',
  'manual',
]
const categories = ['directive', 'question', 'info', 'task', 'alert']

const page = { limit: int(1, 100, 20), offset: { type: 'integer', min: 0, default: 0 } as Field }
const pageAnswers = ['total', 'limit', 'offset', 'hasMore']
const query = required(text(1, 10_000))

type Spec = Pick<Route, 'fields' | 'example' | 'answers'> & { status?: readonly number[] }

const agent = (name: string, scopes: Route['scopes'], { status = [200], ...spec }: Spec): Route => ({
  ...spec,
  name,
  scopes,
  status,
  method: 'POST',
  path: `/api/agent/${name}`,
})
const read = (name: string, spec: Spec) => agent(name, ['read'], spec)
const write = (name: string, spec: Spec) => agent(name, ['write'], spec)
const search = (name: string, spec: Spec) => agent(name, ['read', 'search'], spec)

export const agentRoutes: readonly Route[] = [
  read('session-start', {
    fields: {
      vaultId: id,
      query: text(),
      summaryOnly: flag(true),
      mode: one(['default', 'planning', 'incident', 'handoff', 'deep', 'minimal', 'none'], 'default'),
      maxEpisodic: int(0, 10),
      maxFacts: int(0, 20),
      maxTasks: int(0, 10),
      maxConstraints: int(0, 20),
      includeDocuments: list(),
      maxResponseChars: int(2000, 100_000, 16_000),
      peek: flag(false),
    },
    example: ({ vaultId }) => ({ vaultId, query: 'cats', maxResponseChars: 20_000 }),
    answers: [
      'sessionContext',
      'vaults',
      'recentAgents',
      'documents',
      'pendingMessages',
      'changesSinceLastSession',
      'agentRunId',
      'budget',
      'degraded',
    ],
  }),
  write('session-track', {
    fields: {
      agentRunId: text(),
      event: one(['start', 'heartbeat', 'tool', 'end'], 'heartbeat'),
      toolName: text(),
      currentActivity: text(),
      metadata: object,
    },
    example: ({ vaultId }) => ({ vaultId, agentRunId: 'run-1', event: 'tool', toolName: 'editor' }),
    answers: ['tracked', 'agentRunId', 'toolCalls', 'startedAt', 'lastSeenAt'],
    status: [200, 201],
  }),
  write('context-checkpoint', {
    fields: {
      memories: required(list(undefined, 50)),
      sessionSummary: required(text()),
      vaultId: id,
      agentId: text(),
      modelId: text(),
      agentRunId: text(),
      dedup: flag(true),
    },
    example: ({ vaultId }) => ({ vaultId, memories: [{ content: 'Cats purr.' }], sessionSummary: 'About cats.' }),
    answers: ['total', 'created', 'skipped', 'failed', 'durationMs', 'results', 'summaryMemoryId'],
    status: [200, 201],
  }),
  write('ingest-turn', {
    fields: {
      content: required(text(1, 50_000)),
      role: required(one(['user', 'assistant'])),
      vaultId: id,
      agentId: text(),
      agentRunId: text(),
      signalThreshold: int(0, 10),
      customSignalKeywords: list(),
    },
    example: ({ vaultId }) => ({ vaultId, content: 'Remember that cats purr.', role: 'user' }),
    answers: ['turnId', 'signalScore', 'signalKeywords', 'extractionStatus'],
    status: [200, 201],
  }),
  write('write-memory', {
    fields: {
      content: required(text(1, 100_000)),
      summary: text(undefined, 2000),
      memoryType: one(memoryTypes, 'fact'),
      importance: int(1, 5, 3),
      confidence: int(1, 5, 3),
      entities: list(),
      relatedMemoryIds: list(),
      sourceNoteIds: list(),
      supersededById: id,
      externalWriteId: text(),
      expiresAt: text(),
      metadata: object,
      writeReason: text(),
      vaultId: id,
      dedup: flag(false),
    },
    example: ({ vaultId, memoryId, noteId }) => ({
      vaultId,
      content: 'Cats sleep in the sun.',
      relatedMemoryIds: [memoryId],
      sourceNoteIds: [noteId],
    }),
    answers: ['memoryId', 'created', 'idempotent', 'memoryType', 'vaultId', 'version'],
    status: [201],
  }),
  search('search-memories', {
    fields: {
      query,
      topK: int(1, 50, 10),
      threshold: share(0.4),
      vaultId: id,
      memoryType: one(memoryTypes),
      includeArchived: flag(false),
      decayHalfLife: int(1, 365, 30),
      diversity: share(0.7),
    },
    example: ({ vaultId }) => ({ vaultId, query: 'cats' }),
    answers: [
      'searchMode',
      'memories',
      'unitsUsed',
      'embeddingTokens',
      'semanticMatchCount',
      'blindIndexMatchCount',
      'graphExpansionCount',
    ],
  }),
  read('read-memories', {
    fields: { memoryIds: required(list(1, 50)), vaultId: id },
    example: ({ vaultId, memoryId }) => ({ vaultId, memoryIds: [memoryId] }),
    answers: ['memories', 'notFound'],
  }),
  read('get-related-memories', {
    fields: { memoryId: required(id), maxHops: int(1, 3, 1), relationTypes: list(), ...page },
    example: ({ vaultId, memoryId }) => ({ vaultId, memoryId }),
    answers: ['memoryId', 'memories', ...pageAnswers],
  }),
  write('update-memory', {
    fields: {
      memoryId: required(id),
      content: text(1, 100_000),
      summary: text(undefined, 2000),
      importance: int(1, 5),
      confidence: int(1, 5),
      expectedVersion: { type: 'integer' },
    },
    example: ({ vaultId, memoryId }) => ({ vaultId, memoryId, importance: 4 }),
    answers: ['memoryId', 'updated', 'version', 'vaultId', 'memoryType', 'updatedAt'],
  }),
  write('archive-memory', {
    fields: { memoryId: required(id), reason: text() },
    example: ({ vaultId, memoryId }) => ({ vaultId, memoryId }),
    answers: ['memoryId', 'archived', 'alreadyArchived', 'archivedAt', 'vaultId'],
  }),
  write('cleanup-memories', {
    fields: {
      olderThanDays: { type: 'integer' },
      maxImportance: { type: 'integer' },
      memoryTypes: list(),
      limit: int(1, 500, 100),
      dryRun: flag(true),
    },
    example: ({ vaultId }) => ({ vaultId, maxImportance: 2 }),
    answers: ['dryRun', 'matched', 'archived', 'skippedProtected', 'memoryIds', 'vaultId'],
  }),
  write('create-task', {
    fields: {
      title: required(text(1, 10_000)),
      description: text(undefined, 100_000),
      status: one(taskStatuses, 'todo'),
      priority: int(1, 5, 3),
      assignedAgentId: text(),
      doneWhen: text(),
      vaultId: id,
      externalWriteId: text(),
      dedup: flag(false),
    },
    example: ({ vaultId }) => ({ vaultId, title: 'Brush the cat' }),
    answers: ['taskId', 'created', 'status', 'vaultId'],
    status: [201],
  }),
  write('update-task', {
    fields: {
      taskId: required(id),
      title: text(1, 10_000),
      description: text(undefined, 100_000),
      status: one(taskStatuses),
      priority: int(1, 5),
      expectedStatus: one(taskStatuses),
    },
    example: ({ vaultId, taskId }) => ({ vaultId, taskId, status: 'in_progress' }),
    answers: ['taskId', 'updated', 'status', 'previousStatus', 'version', 'completedAt', 'vaultId'],
  }),
  read('list-tasks', {
    fields: { priorityMin: int(1, 5), includeDone: flag(true), includeArchived: flag(false), ...page },
    example: ({ vaultId }) => ({ vaultId }),
    answers: ['tasks', 'counts', ...pageAnswers],
  }),
  write('create-note', {
    fields: {
      title: required(text(1, 500)),
      content: text(undefined, 500_000),
      tags: list(undefined, 50),
      folderId: id,
      folderPath: text(),
      vaultId: id,
      externalWriteId: text(),
    },
    example: ({ vaultId }) => ({ vaultId, title: 'Whiskers', content: 'See [[Cats]].', tags: ['cats'] }),
    answers: ['noteId', 'created', 'idempotent', 'vaultId', 'folderId', 'title', 'links', 'unresolvedLinks'],
    status: [201],
  }),
  read('read-note', {
    fields: { noteId: required(id) },
    example: ({ vaultId, noteId }) => ({ vaultId, noteId }),
    answers: ['note'],
  }),
  read('read-notes', {
    fields: { noteIds: required(list(1, 50)) },
    example: ({ vaultId, noteId }) => ({ vaultId, noteIds: [noteId] }),
    answers: ['notes', 'notFound'],
  }),
  write('update-note', {
    fields: {
      noteId: required(id),
      title: text(1, 500),
      content: text(undefined, 500_000),
      mode: one(['replace', 'append', 'prepend'], 'replace'),
      tags: list(undefined, 50),
    },
    example: ({ vaultId, noteId }) => ({ vaultId, noteId, content: 'Cats, and more.', mode: 'replace' }),
    answers: ['noteId', 'updated', 'version', 'updatedAt', 'links', 'unresolvedLinks'],
  }),
  write('delete-note', {
    fields: { noteId: required(id) },
    example: ({ vaultId, noteId }) => ({ vaultId, noteId }),
    answers: ['noteId', 'trashed', 'trashedAt', 'alreadyTrashed'],
  }),
  write('move-note', {
    fields: { noteId: required(id), folderPath: text() },
    example: ({ vaultId, noteId, folderId }) => ({ vaultId, noteId, folderId }),
    answers: ['noteId', 'moved', 'folderId', 'folderPath'],
  }),
  search('search-notes', {
    fields: { query, tags: list(), folderId: id, in: list(), ...page },
    example: ({ vaultId }) => ({ vaultId, query: 'cats' }),
    answers: ['notes', ...pageAnswers],
  }),
  read('list-notes', {
    fields: { folderId: id, recursive: flag(true), tags: list(), includeTrashed: flag(false), ...page },
    example: ({ vaultId }) => ({ vaultId }),
    answers: ['notes', ...pageAnswers],
  }),
  search('semantic-search', {
    fields: { query, topK: int(1, 50, 10), threshold: share(0.5), vaultId: id },
    example: ({ vaultId }) => ({ vaultId, query: 'cats' }),
    answers: ['notes', 'embeddingTokens'],
  }),
  search('search-and-read', {
    fields: { query, topK: int(1, 10, 3), maxChars: { type: 'integer', default: 8000 } },
    example: ({ vaultId }) => ({ vaultId, query: 'cats' }),
    answers: ['notes', 'embeddingTokens'],
  }),
  write('add-link', {
    fields: {
      sourceType: required(one(nodeTypes)),
      sourceId: required(id),
      targetType: required(one(nodeTypes)),
      targetId: required(id),
      relationType: required(one(relationTypes)),
      label: text(undefined, 500),
    },
    example: ({ vaultId, noteId, otherMemoryId }) => ({
      vaultId,
      sourceType: 'note',
      sourceId: noteId,
      targetType: 'memory',
      targetId: otherMemoryId,
      relationType: 'source_of',
    }),
    answers: ['linkId', 'created', 'sourceType', 'sourceId', 'targetType', 'targetId', 'relationType'],
    status: [201],
  }),
  write('remove-link', {
    fields: { linkId: id },
    example: ({ vaultId, linkId }) => ({ vaultId, linkId }),
    answers: ['linkId', 'removed'],
  }),
  read('get-links', {
    fields: {
      nodeType: required(one(nodeTypes)),
      nodeId: required(id),
      direction: one(['both', 'outgoing', 'incoming'], 'both'),
      ...page,
    },
    example: ({ vaultId, memoryId }) => ({ vaultId, nodeType: 'memory', nodeId: memoryId }),
    answers: ['links', ...pageAnswers],
  }),
  read('explore-graph', {
    fields: {
      query: text(),
      nodeId: id,
      nodeType: one(nodeTypes),
      maxHops: int(1, 5, 2),
      maxNodes: int(1, 200, 50),
      vaultId: id,
    },
    example: ({ vaultId, memoryId }) => ({ vaultId, nodeId: memoryId, nodeType: 'memory' }),
    answers: ['entryPoints', 'nodes', 'edges', 'stats'],
  }),
  write('create-folder', {
    fields: { name: text(), path: text(), parentId: id, vaultId: id },
    example: ({ vaultId }) => ({ vaultId, name: 'Habits' }),
    answers: ['created'],
    status: [201],
  }),
  read('list-folders', {
    fields: { vaultId: id },
    example: ({ vaultId }) => ({ vaultId }),
    answers: ['folders'],
  }),
  write('create-vault', {
    fields: { name: required(text(1, 200)), description: text() },
    example: () => ({ name: `Conformance ${crypto.randomUUID()}` }),
    answers: ['vaultId'],
    status: [201],
  }),
  read('list-vaults', { fields: page, example: () => ({}), answers: ['vaults', ...pageAnswers] }),
  write('send-message', {
    fields: {
      targetId: required(text()),
      targetType: one(['agent', 'user', 'broadcast']),
      category: one(categories, 'info'),
      priority: int(1, 5, 3),
      subject: text(undefined, 200),
      content: required(text(1, 10_240)),
      vaultId: id,
      expiresInDays: int(1, 365, 30),
      template: one(['task_assignment', 'status_update', 'alert', 'question']),
      parentMessageId: id,
    },
    example: ({ vaultId }) => ({ vaultId, targetId: '*', content: 'The cat is fed.' }),
    answers: ['messageId', 'created', 'targetId', 'targetType', 'category'],
    status: [201],
  }),
  read('read-messages', {
    fields: {
      status: one(['pending', 'acknowledged', 'all'], 'all'),
      category: one(categories),
      priorityMin: int(1, 5),
      includeSent: flag(false),
      ...page,
    },
    example: ({ vaultId }) => ({ vaultId }),
    answers: ['messages', ...pageAnswers],
  }),
  read('pending-messages', {
    fields: { priorityMin: int(1, 5) },
    example: ({ vaultId }) => ({ vaultId }),
    answers: ['messages', 'count'],
  }),
  write('ack-message', {
    fields: { messageId: id, note: text() },
    example: ({ messageId }) => ({ messageId }),
    answers: ['messageId', 'acknowledged', 'status', 'acknowledgedAt', 'alreadyAcknowledged'],
  }),
  read('list-active-agents', {
    fields: { vaultId: id, withinMinutes: int(1, 10_080, 60) },
    example: ({ vaultId }) => ({ vaultId }),
    answers: ['agents'],
  }),
  read('read-document', {
    fields: { documentType: required(one(documentTypes)), vaultId: required(id) },
    example: ({ vaultId }) => ({ vaultId, documentType: 'soul' }),
    answers: ['documentType', 'content', 'inheritMode', 'agentEditable', 'appendOnly', 'templateVersion'],
  }),
  write('update-document', {
    fields: {
      documentType: required(one(documentTypes)),
      vaultId: required(id),
      // Required unless `fromVersion`, which goes beyond the interface, names the text.
      content: text(undefined, 100_000),
      mode: one(['replace', 'append']),
    },
    example: ({ vaultId }) => ({ vaultId, documentType: 'skills', content: 'Feed cats.' }),
    answers: ['documentType', 'updated', 'version'],
  }),
  read('get-settings', {
    fields: {},
    example: ({ vaultId }) => ({ vaultId }),
    answers: ['vaultId', 'settings'],
  }),
  agent('update-settings', ['admin'], {
    fields: { settings: required(object) },
    example: ({ vaultId }) => ({ vaultId, settings: { decayHalfLife: 60 } }),
    answers: ['vaultId', 'settings', 'updated'],
  }),
  {
    name: 'info',
    method: 'GET',
    path: '/api/agent/info',
    scopes: [],
    fields: {},
    example: () => ({}),
    answers: [
      'userId',
      'integrationId',
      'agentType',
      'label',
      'scopes',
      'vaultId',
      'allowedVaultIds',
      'restrictToVault',
      'vaultScopePresets',
    ],
    status: [200],
  },
]

const webhookBase = { path: '/api/webhooks', scopes: [] } as const

export const webhookRoutes: readonly Route[] = [
  {
    ...webhookBase,
    name: 'create',
    method: 'POST',
    fields: {
      url: required(url),
      events: required(list()),
      vaultId: id,
      filters: object,
    },
    example: ({ vaultId }) => ({ url: 'https://example.org/hook', events: ['message.created'], vaultId }),
    answers: ['webhook'],
    status: [201],
  },
  {
    ...webhookBase,
    name: 'list',
    method: 'GET',
    fields: page,
    example: () => ({}),
    answers: ['webhooks', ...pageAnswers],
    status: [200],
  },
  {
    ...webhookBase,
    name: 'update',
    method: 'PATCH',
    fields: { id: required(id), isActive: flag(), url, events: list(), filters: object },
    example: ({ webhookId }) => ({ id: webhookId, isActive: false }),
    answers: ['webhook'],
    status: [200],
  },
  {
    ...webhookBase,
    name: 'delete',
    method: 'DELETE',
    fields: { id: required(id) },
    example: ({ webhookId }) => ({ id: webhookId }),
    answers: ['id', 'deleted'],
    status: [200],
  },
]
