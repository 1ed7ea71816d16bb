// Written by `npm run generate` from the registry of operations; do not edit.

import type { Method } from '../method.ts'
import type { OperationName } from './operations.ts'

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** When a second call changes nothing: never, always, with an externalWriteId, in a run, or in the same new run. */
  repeatable: 'never' | 'always' | 'withWriteId' | 'withRunId' | 'asOneRun'
  /** Whether the client's vault applies if the input names none. */
  inVault?: true
  /** The list in a paged answer. */
  items?: string
}

export const routes: Readonly<Record<OperationName, Route>> = {
  'session-start': { method: 'POST', path: '/api/agent/session-start', repeatable: 'asOneRun', inVault: true },
  'context-checkpoint': { method: 'POST', path: '/api/agent/context-checkpoint', repeatable: 'withRunId', inVault: true },
  'write-memory': { method: 'POST', path: '/api/agent/write-memory', repeatable: 'withWriteId', inVault: true },
  'read-memories': { method: 'POST', path: '/api/agent/read-memories', repeatable: 'always', inVault: true },
  'update-memory': { method: 'POST', path: '/api/agent/update-memory', repeatable: 'never', inVault: true },
  'archive-memory': { method: 'POST', path: '/api/agent/archive-memory', repeatable: 'never', inVault: true },
  'cleanup-memories': { method: 'POST', path: '/api/agent/cleanup-memories', repeatable: 'never', inVault: true },
  'get-related-memories': { method: 'POST', path: '/api/agent/get-related-memories', repeatable: 'always', inVault: true, items: 'memories' },
  'search-memories': { method: 'POST', path: '/api/agent/search-memories', repeatable: 'always', inVault: true },
  'create-task': { method: 'POST', path: '/api/agent/create-task', repeatable: 'withWriteId', inVault: true },
  'update-task': { method: 'POST', path: '/api/agent/update-task', repeatable: 'never', inVault: true },
  'list-tasks': { method: 'POST', path: '/api/agent/list-tasks', repeatable: 'always', inVault: true, items: 'tasks' },
  'create-note': { method: 'POST', path: '/api/agent/create-note', repeatable: 'withWriteId', inVault: true },
  'read-note': { method: 'POST', path: '/api/agent/read-note', repeatable: 'always', inVault: true },
  'read-notes': { method: 'POST', path: '/api/agent/read-notes', repeatable: 'always', inVault: true },
  'update-note': { method: 'POST', path: '/api/agent/update-note', repeatable: 'never', inVault: true },
  'delete-note': { method: 'POST', path: '/api/agent/delete-note', repeatable: 'never', inVault: true },
  'move-note': { method: 'POST', path: '/api/agent/move-note', repeatable: 'never', inVault: true },
  'list-notes': { method: 'POST', path: '/api/agent/list-notes', repeatable: 'always', inVault: true, items: 'notes' },
  'search-notes': { method: 'POST', path: '/api/agent/search-notes', repeatable: 'always', inVault: true, items: 'notes' },
  'semantic-search': { method: 'POST', path: '/api/agent/semantic-search', repeatable: 'always', inVault: true },
  'search-and-read': { method: 'POST', path: '/api/agent/search-and-read', repeatable: 'always', inVault: true },
  'create-folder': { method: 'POST', path: '/api/agent/create-folder', repeatable: 'never', inVault: true },
  'list-folders': { method: 'POST', path: '/api/agent/list-folders', repeatable: 'always', inVault: true, items: 'folders' },
  'add-link': { method: 'POST', path: '/api/agent/add-link', repeatable: 'withWriteId', inVault: true },
  'remove-link': { method: 'POST', path: '/api/agent/remove-link', repeatable: 'never', inVault: true },
  'get-links': { method: 'POST', path: '/api/agent/get-links', repeatable: 'always', inVault: true, items: 'links' },
  'explore-graph': { method: 'POST', path: '/api/agent/explore-graph', repeatable: 'always', inVault: true },
  'send-message': { method: 'POST', path: '/api/agent/send-message', repeatable: 'withWriteId', inVault: true },
  'read-messages': { method: 'POST', path: '/api/agent/read-messages', repeatable: 'always', items: 'messages' },
  'pending-messages': { method: 'POST', path: '/api/agent/pending-messages', repeatable: 'always', items: 'messages' },
  'ack-message': { method: 'POST', path: '/api/agent/ack-message', repeatable: 'never' },
  'ingest-turn': { method: 'POST', path: '/api/agent/ingest-turn', repeatable: 'never', inVault: true },
  'session-track': { method: 'POST', path: '/api/agent/session-track', repeatable: 'never', inVault: true },
  'list-active-agents': { method: 'POST', path: '/api/agent/list-active-agents', repeatable: 'always', inVault: true, items: 'agents' },
  'read-document': { method: 'POST', path: '/api/agent/read-document', repeatable: 'always', inVault: true },
  'update-document': { method: 'POST', path: '/api/agent/update-document', repeatable: 'never', inVault: true },
  'get-settings': { method: 'POST', path: '/api/agent/get-settings', repeatable: 'always', inVault: true },
  'update-settings': { method: 'POST', path: '/api/agent/update-settings', repeatable: 'never', inVault: true },
  'create-vault': { method: 'POST', path: '/api/agent/create-vault', repeatable: 'never' },
  'list-vaults': { method: 'POST', path: '/api/agent/list-vaults', repeatable: 'always', items: 'vaults' },
  'info': { method: 'GET', path: '/api/agent/info', repeatable: 'always' },
}

/** The operations by noun. */
export interface Methods {
  readonly session: {
    /** Begin a session and get what an agent should know about the vault, in one answer of the size you choose. Send its agentRunId with later calls (in the body, or as X-Agent-Run-Id), and list-active-agents shows this run to others. */
    start: Method<'session-start'>
    /** Save what a session learned, and its summary, in one call. */
    checkpoint: Method<'context-checkpoint'>
    /** Record a turn of a conversation. Anything in it worth remembering is stored as memories. */
    ingestTurn: Method<'ingest-turn'>
    /** Report that a run is alive, what it is doing, and when it ends. Other calls with its agentRunId (in the body, or as X-Agent-Run-Id) are counted automatically. list-active-agents shows the run. */
    track: Method<'session-track'>
    /** List the agents that called recently in the vault, most recent first, each with its latest run. */
    activeAgents: Method<'list-active-agents'>
  }
  readonly memories: {
    /** Store a memory. */
    write: Method<'write-memory'>
    /** Find memories by meaning, words and links. */
    search: Method<'search-memories'>
    /** Read memories by id, with their full content. Archived ones are included and marked. */
    read: Method<'read-memories'>
    /** Change a memory, restore an archived one, or restore an older version. Omitted fields stay unchanged. What another writer wrote is kept as an older version. */
    update: Method<'update-memory'>
    /** Hide a memory from search without deleting it. */
    archive: Method<'archive-memory'>
    /** Archive memories in bulk, by one or more filters, all of which must match. Importance 5, constraints, corrections, open tasks, the sources of other memories, and what the integration may not change are protected. */
    cleanup: Method<'cleanup-memories'>
    /** List the live memories linked to a memory, nearest first. */
    related: Method<'get-related-memories'>
  }
  readonly tasks: {
    /** Create a task: a memory of type task, which searches find like any other. */
    create: Method<'create-task'>
    /** List the tasks of a vault, most urgent first, then last changed. */
    list: Method<'list-tasks'>
    /** Change a task: claim it, change its status, assign or rewrite it, or restore an older version. Omitted fields stay unchanged. */
    update: Method<'update-task'>
  }
  readonly notes: {
    /** Create a note, optionally in a folder. [[Titles]] in its text link to other notes. */
    create: Method<'create-note'>
    /** Read a note with its full text and what the text links to. Trashed notes are included and marked. */
    read: Method<'read-note'>
    /** Read notes by id with their full texts. Trashed notes are included and marked. */
    readMany: Method<'read-notes'>
    /** Change a note, or restore a former version or a trashed note. Omitted fields stay unchanged. The last 50 versions are kept, and the last one by each writer. */
    update: Method<'update-note'>
    /** Move a note to the trash. Searches, lists and links by title no longer find it; update-note with trashed: false restores it. */
    delete: Method<'delete-note'>
    /** Move a note to another folder, or to the vault's root. */
    move: Method<'move-note'>
    /** List the notes of a vault or folder, newest first, each with the beginning of its text. */
    list: Method<'list-notes'>
    /** Find notes by the words of title, tags and content. */
    search: Method<'search-notes'>
    /** Find notes by meaning. */
    semanticSearch: Method<'semantic-search'>
    /** Find notes by meaning, words and links, and read the best of them. */
    searchAndRead: Method<'search-and-read'>
  }
  readonly folders: {
    /** Create a folder for notes, or return the existing one with this name. */
    create: Method<'create-folder'>
    /** List the folders of a vault as a tree: sorted by name, each followed by the folders in it. */
    list: Method<'list-folders'>
  }
  readonly graph: {
    /** Link two notes or memories of one vault. */
    addLink: Method<'add-link'>
    /** Remove a link between two notes or memories. To remove a link in the text of a note, edit the note. */
    removeLink: Method<'remove-link'>
    /** List the links of a note or memory, newest first. */
    links: Method<'get-links'>
    /** Follow links over several hops from a note or memory, or from the results of a query. */
    explore: Method<'explore-graph'>
  }
  readonly messages: {
    /** Send a message to an agent, to the person, or to all agents of the vault. The recipient sees who sent it. */
    send: Method<'send-message'>
    /** Read the messages to you and to everyone, newest first. Reading does not acknowledge them. */
    list: Method<'read-messages'>
    /** List messages that this agent has not acknowledged, most urgent first, then oldest. Read all pages before you acknowledge any, because later messages move up. */
    pending: Method<'pending-messages'>
    /** Acknowledge one or more messages to you. Each recipient of a broadcast acknowledges it separately. */
    acknowledge: Method<'ack-message'>
  }
  readonly documents: {
    /** Read one of a vault's documents: soul, instructions, skills or checks. */
    read: Method<'read-document'>
    /** Write one of a vault's documents, or add to it. Older versions are kept. */
    update: Method<'update-document'>
  }
  readonly settings: {
    /** Read a vault's settings in effect. */
    get: Method<'get-settings'>
    /** Change a vault's settings. Omitted settings stay unchanged; null resets one to its default. */
    update: Method<'update-settings'>
  }
  readonly vaults: {
    /** Create a vault: a separate space for memories with its own key. */
    create: Method<'create-vault'>
    /** List the vaults that you can read, with counts, the default vault first. People also see those that others share with them, after their own. */
    list: Method<'list-vaults'>
  }
}

export const methodNames: { readonly [Noun in keyof Methods]: Readonly<Record<keyof Methods[Noun], OperationName>> } = {
  session: { start: 'session-start', checkpoint: 'context-checkpoint', ingestTurn: 'ingest-turn', track: 'session-track', activeAgents: 'list-active-agents' },
  memories: { write: 'write-memory', search: 'search-memories', read: 'read-memories', update: 'update-memory', archive: 'archive-memory', cleanup: 'cleanup-memories', related: 'get-related-memories' },
  tasks: { create: 'create-task', list: 'list-tasks', update: 'update-task' },
  notes: { create: 'create-note', read: 'read-note', readMany: 'read-notes', update: 'update-note', delete: 'delete-note', move: 'move-note', list: 'list-notes', search: 'search-notes', semanticSearch: 'semantic-search', searchAndRead: 'search-and-read' },
  folders: { create: 'create-folder', list: 'list-folders' },
  graph: { addLink: 'add-link', removeLink: 'remove-link', links: 'get-links', explore: 'explore-graph' },
  messages: { send: 'send-message', list: 'read-messages', pending: 'pending-messages', acknowledge: 'ack-message' },
  documents: { read: 'read-document', update: 'update-document' },
  settings: { get: 'get-settings', update: 'update-settings' },
  vaults: { create: 'create-vault', list: 'list-vaults' },
}
