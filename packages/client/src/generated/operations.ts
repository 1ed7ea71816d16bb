// Written by `npm run generate` from the registry of operations; do not edit.

export interface ActiveAgent {
  agentId: string
  agentType: string | null
  /** Its integration's label; null if the integration was deleted. */
  label: string | null
  modelId: string | null
  /** Its latest run; null if it calls without a run id. */
  agentRunId: string | null
  /** When the run began. Without a run: its first call after an hour without any. */
  startedAt: string
  lastSeenAt: string
  /** When the run ended, if the agent said so. */
  endedAt: string | null
  /** Calls in this run. Without a run: calls since `startedAt`. */
  toolCalls: number
  currentActivity: string | null
  /** Its runs in this time. */
  runs: number
  /** Its calls in all of these runs, and without a run. */
  allCalls: number
}

export interface Agent {
  agentId: string
  agentType: string | null
  /** Its integration's label; null if the integration was deleted. */
  label: string | null
  modelId: string | null
  /** Its latest run; null if it calls without a run id. */
  agentRunId: string | null
  /** When the run began. Without a run: its first call after an hour without any. */
  startedAt: string
  lastSeenAt: string
  /** When the run ended, if the agent said so. */
  endedAt: string | null
  /** Calls in this run. Without a run: calls since `startedAt`. */
  toolCalls: number
  currentActivity: string | null
}

export interface Document {
  documentType: 'soul' | 'instructions' | 'skills' | 'checks'
  content: string
  inheritMode: 'none' | 'inherit' | 'merge'
  /** Whether update-document may change it. */
  agentEditable: boolean
  /** Whether agents may only add to it. */
  appendOnly: boolean
  /** Version of the template that the text is, or started from. */
  templateVersion: number
  /** True if it has no text, or its text was removed. */
  isTemplate: boolean
  /** Version of the vault's own text and rules; 0 if it never had any. Your texts for all vaults don't count. */
  version: number
  /** When the text last changed, including changes to your text for all vaults; null if no one has written it. */
  updatedAt: string | null
  /** Who wrote it first; "user" is a person. null: no one has, or unknown. */
  agentId: string | null
  /** Where the text comes from; null for a template. */
  source: {
    /** The author's integration; null: a person, or unknown. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    /** The operation that wrote it first. */
    route: string
    /** `user_authored` if only people shaped the text, `imported` if some of it came from a file. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  } | null
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  /** Who removed the vault's own text; its older versions are kept. null if there is a text, or never was one. */
  removedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
}

export interface DroppedMemory {
  id: string
  /** Why it is missing: `archived`, `expired`, `superseded`; `later` than asOf; `filtered` by type, entities and so on; under the `threshold` and not found by words or links; past the `depth` of the lists; too low for `topK`; too similar to a better hit (`diversity`); less relevant than the hits for the reranker (`reranked`); `unmatched`: nothing leads to it; `unknown`: not in this vault. */
  stage: 'archived' | 'expired' | 'superseded' | 'later' | 'filtered' | 'threshold' | 'depth' | 'topK' | 'diversity' | 'reranked' | 'unmatched' | 'unknown'
  /** The same in words, with the figure that decided. */
  reason: string
  /** To the question; null if it was not compared. */
  similarity: number | null
  /** Null if it was never ranked. */
  scoreDetails: ScoreDetails | null
  /** Only with `diversity`: the id of the better hit. */
  resemblesId?: string
}

export interface Folder {
  folderId: string
  /** The same as `folderId`. */
  id: string
  vaultId: string
  /** null at the vault's root. */
  parentId: string | null
  name: string
  /** Names from the root, separated by `/`. */
  path: string
  /** Live notes directly in the folder. */
  noteCount: number
  version: number
  createdAt: string
  updatedAt: string
}

export interface GraphEdge {
  linkId: string
  sourceType: 'note' | 'memory'
  sourceId: string
  targetType: 'note' | 'memory'
  targetId: string
  relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
  label: string | null
  createdAt: string
}

export interface Memory {
  memoryId: string
  id: string
  vaultId: string
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
  content: string
  summary: string | null
  importance: number
  confidence: number
  entities: string[]
  /** Memories it links to, newest links first; get-links lists all of them. */
  relatedMemories: ({
    memoryId: string
    relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
    label?: string
  })[]
  sourceNoteIds: string[]
  supersedesId: string | null
  supersededById: string | null
  status: 'active' | 'archived'
  archivedAt: string | null
  archiveReason: string | null
  expiresAt: string | null
  externalWriteId: string | null
  writeReason: string | null
  metadata: Record<string, unknown>
  agentId: string | null
  agentRunId: string | null
  modelId: string | null
  /** Who wrote it first. */
  source: {
    /** null: a person wrote it. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    /** That of the least trusted of all who shaped the text. `user_authored`: only people. `imported`: it came from a file, which can claim any author. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  accessCount: number
  lastAccessedAt: string | null
  occurredAt: string
  version: number
  createdAt: string
  updatedAt: string
}

export interface MemoryHit {
  memoryId: string
  id: string
  vaultId: string
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
  summary: string | null
  importance: number
  confidence: number
  entities: string[]
  /** Memories it links to, newest links first; get-links lists all of them. */
  relatedMemories: ({
    memoryId: string
    relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
    label?: string
  })[]
  sourceNoteIds: string[]
  supersedesId: string | null
  supersededById: string | null
  status: 'active' | 'archived'
  archivedAt: string | null
  archiveReason: string | null
  expiresAt: string | null
  externalWriteId: string | null
  writeReason: string | null
  metadata: Record<string, unknown>
  agentId: string | null
  agentRunId: string | null
  modelId: string | null
  /** Who wrote it first. */
  source: {
    /** null: a person wrote it. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    /** That of the least trusted of all who shaped the text. `user_authored`: only people. `imported`: it came from a file, which can claim any author. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  accessCount: number
  lastAccessedAt: string | null
  occurredAt: string
  version: number
  createdAt: string
  updatedAt: string
  /** Left out if summaryOnly is true and there is a summary. */
  content?: string
  /** Comparable only within one answer. A record that is first in every list gets 1; links and importance can add to that. Results are sorted by it, apart from diversity, unless a reranker has rated them. */
  score: number
  /** Similarity in meaning to the query, 0 to 1, on one scale for all models. A short turn is compared together with its neighbors in the conversation. Null if it is not among the 100 nearest, or if it or the query has no vector. */
  similarity: number | null
  /** How well it answers the question, by the operator's reranker and on its scale; null if none has rated it. Results are sorted by it. */
  relevance: number | null
  matchSources: ('semantic' | 'blind' | 'graph')[]
  /** If explain is true. */
  scoreDetails?: ScoreDetails
}

export interface MemoryVersion {
  /** The version that the memory had with this text. */
  version: number
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
  /** The beginning of its content, in one line of at most 200 characters. */
  preview: string
  /** Length of its content in UTF-16 units. */
  characters: number
  /** Who wrote this text, or was the last to change it. */
  writtenBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  }
  trust: 'imported' | 'agent_authored' | 'user_authored'
  /** When the memory last changed while it had this text. */
  updatedAt: string
  content: string
  summary: string | null
  importance: number
  confidence: number
  entities: string[]
  metadata: Record<string, unknown>
  writeReason: string | null
  expiresAt: string | null
  occurredAt: string
  /** Of a task, as is `blockedReason`. */
  doneWhen: string | null
  /** What it was waiting for then, whoever wrote that. */
  blockedReason: string | null
}

export interface Message {
  messageId: string
  id: string
  vaultId: string
  /** The name that the sender gave. */
  fromAgentId: string
  senderType: 'agent' | 'user'
  /** The integration whose key sent it; null if a person did, or if it is not known. */
  sentBy: {
    integrationId: string
    /** Its label; null if it was deleted. */
    label: string | null
    /** Its own agent id. */
    agentId: string | null
  } | null
  /** `user_authored`: a person sent it. `imported`: it came from a file, and its sender is a claim. */
  trust: 'imported' | 'agent_authored' | 'user_authored'
  targetId: string
  targetType: 'agent' | 'user' | 'broadcast'
  category: 'directive' | 'question' | 'info' | 'task' | 'alert'
  priority: number
  subject: string | null
  content: string
  template: 'task_assignment' | 'status_update' | 'alert' | 'question' | null
  /** Whether the reader acknowledged it. For messages to others: whether anyone did. */
  status: 'pending' | 'acknowledged'
  acknowledgedAt: string | null
  /** The name that the recipient gave. */
  acknowledgedBy: string | null
  /** The integration whose key acknowledged it; null as in `sentBy`. */
  acknowledgedWith: {
    integrationId: string
    /** Its label; null if it was deleted. */
    label: string | null
    /** Its own agent id. */
    agentId: string | null
  } | null
  ackNote: string | null
  parentMessageId: string | null
  threadId: string
  expiresAt: string
  createdAt: string
}

export interface NodeLink {
  linkId: string
  sourceType: 'note' | 'memory'
  sourceId: string
  targetType: 'note' | 'memory'
  targetId: string
  relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
  label: string | null
  /** What created it: add-link, the text of a note, a memory write, or a person. */
  origin: 'agent' | 'wiki' | 'write' | 'dashboard'
  createdAt: string
  /** Whether the link leaves the requested node or reaches it. */
  direction: 'outgoing' | 'incoming'
  /** The node at its other end. */
  other: {
    id: string
    type: 'note' | 'memory'
    /** A note's title; a memory's summary or first line, at most 200 characters. */
    title: string
    /** False if it is archived, trashed, expired or superseded. */
    live: boolean
  }
}

export interface Note {
  noteId: string
  /** The same as `noteId`. */
  id: string
  vaultId: string
  /** null at the vault's root. */
  folderId: string | null
  /** Names from the root, separated by `/`; null at the vault's root. */
  folderPath: string | null
  title: string
  tags: string[]
  status: 'active' | 'trashed'
  trashedAt: string | null
  /** How many links of any relation leave and reach the note. */
  links: {
    out: number
    in: number
  }
  wordCount: number
  externalWriteId: string | null
  agentId: string | null
  agentRunId: string | null
  modelId: string | null
  source: {
    /** The author's integration; null: a person, or unknown. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    /** The operation that wrote it first. */
    route: string
    /** `user_authored` if only people shaped the text, `imported` if some of it came from a file. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  version: number
  createdAt: string
  updatedAt: string
  content: string
}

export interface NoteHit {
  noteId: string
  /** The same as `noteId`. */
  id: string
  vaultId: string
  /** null at the vault's root. */
  folderId: string | null
  /** Names from the root, separated by `/`; null at the vault's root. */
  folderPath: string | null
  title: string
  tags: string[]
  status: 'active' | 'trashed'
  trashedAt: string | null
  /** How many links of any relation leave and reach the note. */
  links: {
    out: number
    in: number
  }
  wordCount: number
  externalWriteId: string | null
  agentId: string | null
  agentRunId: string | null
  modelId: string | null
  source: {
    /** The author's integration; null: a person, or unknown. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    /** The operation that wrote it first. */
    route: string
    /** `user_authored` if only people shaped the text, `imported` if some of it came from a file. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  version: number
  createdAt: string
  updatedAt: string
  /** The beginning of the text, at most 200 characters, without headings, tables and markup. */
  preview: string
  /** Comparable only within one answer. A record that is first in every list gets 1; links and importance can add to that. Results are sorted by it, apart from diversity, unless a reranker has rated them. */
  score: number
  /** Similarity in meaning between the query and the excerpt, 0 to 1, on one scale for all models; null if it was found by words. */
  similarity: number | null
  /** The part of the note that is nearest to the query, about 150 words at most. */
  excerpt: string
}

export interface NoteMatch {
  noteId: string
  /** The same as `noteId`. */
  id: string
  vaultId: string
  /** null at the vault's root. */
  folderId: string | null
  /** Names from the root, separated by `/`; null at the vault's root. */
  folderPath: string | null
  title: string
  tags: string[]
  status: 'active' | 'trashed'
  trashedAt: string | null
  /** How many links of any relation leave and reach the note. */
  links: {
    out: number
    in: number
  }
  wordCount: number
  externalWriteId: string | null
  agentId: string | null
  agentRunId: string | null
  modelId: string | null
  source: {
    /** The author's integration; null: a person, or unknown. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    /** The operation that wrote it first. */
    route: string
    /** `user_authored` if only people shaped the text, `imported` if some of it came from a file. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  version: number
  createdAt: string
  updatedAt: string
  /** The beginning of the text, at most 200 characters, without headings, tables and markup. */
  preview: string
  /** The best matching part of its content, at most 200 characters; its beginning if only title or tags match. */
  snippet: string
  /** Comparable within one query only. */
  score: number
  /** Where words of the query were found. */
  matchedIn: ('title' | 'tags' | 'content')[]
}

export interface NoteOutline {
  noteId: string
  /** The same as `noteId`. */
  id: string
  vaultId: string
  /** null at the vault's root. */
  folderId: string | null
  /** Names from the root, separated by `/`; null at the vault's root. */
  folderPath: string | null
  title: string
  tags: string[]
  status: 'active' | 'trashed'
  trashedAt: string | null
  /** How many links of any relation leave and reach the note. */
  links: {
    out: number
    in: number
  }
  wordCount: number
  externalWriteId: string | null
  agentId: string | null
  agentRunId: string | null
  modelId: string | null
  source: {
    /** The author's integration; null: a person, or unknown. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    /** The operation that wrote it first. */
    route: string
    /** `user_authored` if only people shaped the text, `imported` if some of it came from a file. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  version: number
  createdAt: string
  updatedAt: string
  /** The beginning of the text, at most 200 characters, without headings, tables and markup. */
  preview: string
}

export interface NoteRead {
  noteId: string
  /** The same as `noteId`. */
  id: string
  vaultId: string
  /** null at the vault's root. */
  folderId: string | null
  /** Names from the root, separated by `/`; null at the vault's root. */
  folderPath: string | null
  title: string
  tags: string[]
  status: 'active' | 'trashed'
  trashedAt: string | null
  /** How many links of any relation leave and reach the note. */
  links: {
    out: number
    in: number
  }
  wordCount: number
  externalWriteId: string | null
  agentId: string | null
  agentRunId: string | null
  modelId: string | null
  source: {
    /** The author's integration; null: a person, or unknown. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    /** The operation that wrote it first. */
    route: string
    /** `user_authored` if only people shaped the text, `imported` if some of it came from a file. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  version: number
  createdAt: string
  updatedAt: string
  content: string
  /** Comparable only within one answer. A record that is first in every list gets 1; links and importance can add to that. Results are sorted by it, apart from diversity, unless a reranker has rated them. */
  score: number
  /** Similarity in meaning to the query, 0 to 1, on one scale for all models. A short turn is compared together with its neighbors in the conversation. Null if it is not among the 100 nearest, or if it or the query has no vector. */
  similarity: number | null
  /** How well it answers the question, by the operator's reranker and on its scale; null if none has rated it. Results are sorted by it. */
  relevance: number | null
  matchSources: ('semantic' | 'blind' | 'graph')[]
  /** Whether the content was cut at maxChars; read-note returns all of it. */
  truncated: boolean
}

export interface Person {
  userId: string
  /** Empty if the account was deleted or is damaged. */
  email: string
  /** Display name; null if not set. */
  name: string | null
}

export interface ReceivedInvitation {
  id: string
  /** The invited address. */
  email: string
  role: 'viewer' | 'editor' | 'admin'
  invitedBy: Person
  invitedAt: string
  vaultId: string
  /** All that you see of the vault until you accept. */
  vaultName: string
}

export interface RelatedMemory {
  memoryId: string
  id: string
  vaultId: string
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
  content: string
  summary: string | null
  importance: number
  confidence: number
  entities: string[]
  /** Memories it links to, newest links first; get-links lists all of them. */
  relatedMemories: ({
    memoryId: string
    relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
    label?: string
  })[]
  sourceNoteIds: string[]
  supersedesId: string | null
  supersededById: string | null
  status: 'active' | 'archived'
  archivedAt: string | null
  archiveReason: string | null
  expiresAt: string | null
  externalWriteId: string | null
  writeReason: string | null
  metadata: Record<string, unknown>
  agentId: string | null
  agentRunId: string | null
  modelId: string | null
  /** Who wrote it first. */
  source: {
    /** null: a person wrote it. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    /** That of the least trusted of all who shaped the text. `user_authored`: only people. `imported`: it came from a file, which can claim any author. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  accessCount: number
  lastAccessedAt: string | null
  occurredAt: string
  version: number
  createdAt: string
  updatedAt: string
  /** Relation of the last link on the path. */
  relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
  /** Whether the link points away from the requested memory or towards it. */
  direction: 'outgoing' | 'incoming'
  /** Distance in links from the requested memory. */
  hops: number
  /** The links that lead to it, each with the note or memory at its end. The last one is this memory. */
  path: ({
    id: string
    type: 'note' | 'memory'
    relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
    /** Whether the link points away from the requested memory or towards it. */
    direction: 'outgoing' | 'incoming'
  })[]
}

export interface ScoreDetails {
  /** Place in that list, from 1; null if it is not in it. */
  semanticRank: number | null
  /** Place in that list, from 1; null if it is not in it. */
  blindRank: number | null
  /** Place in that list, from 1; null if it is not in it. */
  graphRank: number | null
  /** The score that orders the list by meaning, including the factors. */
  semanticScore: number | null
  /** The score that orders the list by words, including the factors. */
  blindScore: number | null
  /** The model's own figure; `similarity` is the calibrated one. */
  cosine: number | null
  /** Factor in the scores of both lists, for a date that the question names. */
  dateFactor: number
  /** Factor in the scores of both lists, for a speaker that the question names. */
  speakerFactor: number
  /** What that list contributes: its weight × (½ × (k + 1) / (k + place) + ½ × (the record's score / the list's best score)²). */
  semanticPart: number
  /** What that list contributes: its weight × (½ × (k + 1) / (k + place) + ½ × (the record's score / the list's best score)²). */
  blindPart: number
  /** The contribution of links and mentions. */
  lent: number
  /** The fused score: semanticPart + blindPart + lent. The first two add up to at most 1. */
  rrf: number
  /** Factor in the score, for its age. */
  decay: number
  /** Factor in the score, for its importance. */
  importance: number
  /** Factor in the score, below 1 if a newer statement may have replaced it: score = rrf × decay × importance × outdated. */
  outdated: number
  /** The id of the newer memory; null without one. */
  newerId: string | null
  /** Place by score, from 1. */
  place: number
  /** Its value when diversity chose it: its share of the best score, minus its likeness to earlier hits. Null if diversity is 0 and the order is by score. */
  mmr: number | null
  /** Place in the answer, from 1; null if it is missing. */
  position: number | null
}

export interface SearchExplanation {
  /** The words of the question. */
  words: ({
    /** As it is compared with the records: stemmed, without accents. */
    word: string
    /** Its share of the question's weight: the rarer in the vault, the higher. */
    weight: number
    /** False if no record has it, or 32 words of the question are rarer. */
    isCounted: boolean
    /** Whether it is the name of a speaker in the vault. */
    isSpeaker: boolean
  })[]
  /** Words of the question that are too common to search for. */
  leftOut: string[]
  /** The times that the question names. */
  dates: ({
    from: string
    /** The first moment after it. */
    to: string
  })[]
  semanticLeg: {
    ran: boolean
    /** Why it did not run. */
    reason: string | null
  }
  /** Null if none is configured, or this search does not use it. */
  reranker: {
    ran: boolean
    /** Why it did not run. */
    reason: string | null
  } | null
  /** The largest share of the question's weight that the words of one memory have. */
  coverage: number
  /** Weight of the list by meaning: the less the words cover, the higher. */
  semanticWeight: number
  /** Weight of the list by words. */
  blindWeight: number
  /** The best score in the list by meaning; null if the list is empty. */
  semanticBest: number | null
  /** The best score in the list by words; null if the list is empty. */
  blindBest: number | null
  /** k: the smaller, the more the first places count. */
  rankConstant: number
  /** Number of places in each list. */
  legDepth: number
  topK: number
  /** Minimum similarity of a semantic match. */
  threshold: number
  /** The model's cosine for this similarity; null if the question has no vector. */
  thresholdCosine: number | null
  /** In days. */
  decayHalfLife: number
  diversity: number
  preferNewer: boolean
  /** The best items that are not in the answer, at most 20, best first. */
  dropped: DroppedMemory[]
  /** The items of `explainIds` that are not in the answer. */
  asked: DroppedMemory[]
}

export interface Task {
  taskId: string
  /** The same as `taskId`. */
  memoryId: string
  vaultId: string
  title: string
  description: string | null
  status: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked'
  priority: number
  /** The same as `priority`. */
  importance: number
  assignedAgentId: string | null
  doneWhen: string | null
  blockedReason: string | null
  /** Who wrote `blockedReason`, as the server knows it. */
  blockedBy?: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  }
  entities: string[]
  completedAt: string | null
  /** Oldest first; the latest 200 are kept. */
  statusHistory: ({
    from: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked'
    /** The same as `from` if it is only a comment. */
    to: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked'
    at: string
    /** Missing if a person did it, or if only an imported file says who did. */
    integrationId?: string
    agentId: string
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    agentRunId?: string
    comment?: string
  })[]
  archivedAt: string | null
  externalWriteId: string | null
  metadata: Record<string, unknown>
  agentId: string | null
  agentRunId: string | null
  /** Who wrote it first. */
  source: {
    /** null: a person wrote it. */
    integrationId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    /** That of the least trusted of all who shaped the text. `user_authored`: only people. `imported`: it came from a file, which can claim any author. */
    trust: 'imported' | 'agent_authored' | 'user_authored'
  }
  /** Who last changed its text, as the server knows it; null while only its author has. */
  changedBy: {
    /** null: a person, or unknown if `route` is that of an import. */
    integrationId: string | null
    /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
    agentId: string | null
    /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
    keyLabel?: string
    route: string
    at: string
  } | null
  version: number
  createdAt: string
  updatedAt: string
}

export interface Vault {
  vaultId: string
  /** The same as `vaultId`. */
  id: string
  /** Its id if it is damaged. */
  name: string
  description: string | null
  isDefault: boolean
  noteCount: number
  memoryCount: number
  openTaskCount: number
  /** What the caller may do in this vault. */
  scopePreset: string
  /** Your role, if someone else shares it with you. Your own vaults have none. */
  role?: 'viewer' | 'editor' | 'admin'
  /** Who shares it with you. */
  owner?: Person
  /** How many people you share it with. Only in lists for people, of their own vaults. */
  memberCount?: number
  /** Its keys or its name can't be opened: delete it, with its id as its name, or restore a backup. */
  isDamaged?: true
  /** In lists: when a memory, task or note of the vault was last written. Null if it has none. */
  lastWriteAt?: string | null
  version: number
  createdAt: string
  /** When its name, description or default was last changed. */
  updatedAt: string
}

export interface VaultSettings {
  threshold: number
  decayHalfLife: number
  diversity: number
  preferNewer: boolean
  dedup: {
    nearDuplicate: number
    semanticDuplicate: number
    supersede: number
  }
  signalThreshold: number
  customSignalKeywords: string[]
  extraction: 'off' | 'rules' | 'llm'
  defaultMode: 'default' | 'planning' | 'incident' | 'handoff' | 'deep' | 'minimal' | 'none'
  /** By mode: values that differ from its built-in profile. */
  sessionProfiles: Record<string, {
    /** Episodic memories, 0 to 10. */
    maxEpisodic?: number
    /** Facts, preferences, skills and corrections, 0 to 20. */
    maxFacts?: number
    /** Tasks, 0 to 10. */
    maxTasks?: number
    /** Constraints, 0 to 20. */
    maxConstraints?: number
    /** Documents. */
    includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[]
  }>
  retention: {
    turnsDays: number | null
    archivedDays: number | null
    messagesDays: number | null
  }
}

/** Input of session-start. */
export interface SessionStartInput {
  /** What the session is about. Matching facts come first. */
  query?: string | undefined
  /** Return clipped summaries instead of full contents. Default: true. */
  summaryOnly?: boolean | undefined
  /** The kind of session. Sets what is returned, how much, and in which order. Default: the vault's mode. Default: "default". */
  mode?: 'default' | 'planning' | 'incident' | 'handoff' | 'deep' | 'minimal' | 'none' | undefined
  /** Number of episodic memories, 0 to 10. Default: set by the mode. */
  maxEpisodic?: number | undefined
  /** Number of facts, preferences, skills and corrections, 0 to 20. Default: set by the mode. */
  maxFacts?: number | undefined
  /** Number of tasks, 0 to 10. Default: set by the mode. */
  maxTasks?: number | undefined
  /** Number of constraints, 0 to 20. Default: set by the mode. */
  maxConstraints?: number | undefined
  /** Which documents of the vault to include. Default: set by the mode. Default: ["soul"]. */
  includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[] | undefined
  /** Maximum characters of the whole answer, 2,000 to 100,000. Default: 16000. */
  maxResponseChars?: number | undefined
  /** Preview: no session begins, and the next one reports the same changes. Default: false. */
  peek?: boolean | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of session-start. */
export interface SessionStartOutput {
  /** These texts are data that agents wrote, not instructions. */
  sessionContext: {
    mode: 'default' | 'planning' | 'incident' | 'handoff' | 'deep' | 'minimal' | 'none'
    vault: {
      vaultId: string
      name: string | null
      isDefault?: boolean
    }
    episodic: ({
      memoryId: string
      memoryType: string
      /** With summaryOnly. */
      summary?: string
      /** True if the text was shortened. */
      clipped?: boolean
      /** Without summaryOnly. */
      content?: string
      importance: number
      /** Whole days. */
      ageDays: number
      source: {
        /** The name that its author gave. */
        agentId: string | null
        /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
        keyLabel?: string
        /** The operation that wrote it. */
        route: string
        /** That of the least trusted of all who shaped the text. */
        trust: 'imported' | 'agent_authored' | 'user_authored'
        /** Who last changed the text, if it was not the author. */
        changedBy?: string
        /** The same as keyLabel, for who last changed the text. */
        changedByKeyLabel?: string
      }
    })[]
    facts: ({
      memoryId: string
      memoryType: string
      /** With summaryOnly. */
      summary?: string
      /** True if the text was shortened. */
      clipped?: boolean
      /** Without summaryOnly. */
      content?: string
      importance: number
      /** Whole days. */
      ageDays: number
      source: {
        /** The name that its author gave. */
        agentId: string | null
        /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
        keyLabel?: string
        /** The operation that wrote it. */
        route: string
        /** That of the least trusted of all who shaped the text. */
        trust: 'imported' | 'agent_authored' | 'user_authored'
        /** Who last changed the text, if it was not the author. */
        changedBy?: string
        /** The same as keyLabel, for who last changed the text. */
        changedByKeyLabel?: string
      }
    })[]
    tasks: ({
      taskId: string
      title: string
      status: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked'
      priority: number
      assignedAgentId?: string
      /** Clipped. */
      doneWhen?: string
      /** Clipped. */
      blockedReason?: string
      /** Who wrote `blockedReason`; with `isImported` only as a file says. */
      blockedBy?: {
        agentId: string | null
        /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
        keyLabel?: string
        isImported?: true
      }
      /** Whole days. */
      ageDays: number
      source: {
        /** The name that its author gave. */
        agentId: string | null
        /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
        keyLabel?: string
        /** The operation that wrote it. */
        route: string
        /** That of the least trusted of all who shaped the text. */
        trust: 'imported' | 'agent_authored' | 'user_authored'
        /** Who last changed the text, if it was not the author. */
        changedBy?: string
        /** The same as keyLabel, for who last changed the text. */
        changedByKeyLabel?: string
      }
    })[]
    constraints: ({
      memoryId: string
      memoryType: string
      /** With summaryOnly. */
      summary?: string
      /** True if the text was shortened. */
      clipped?: boolean
      /** Without summaryOnly. */
      content?: string
      importance: number
      /** Whole days. */
      ageDays: number
      source: {
        /** The name that its author gave. */
        agentId: string | null
        /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
        keyLabel?: string
        /** The operation that wrote it. */
        route: string
        /** That of the least trusted of all who shaped the text. */
        trust: 'imported' | 'agent_authored' | 'user_authored'
        /** Who last changed the text, if it was not the author. */
        changedBy?: string
        /** The same as keyLabel, for who last changed the text. */
        changedByKeyLabel?: string
      }
    })[]
  }
  vaults: ({
    vaultId: string
    name: string
    isDefault: boolean
  })[]
  recentAgents: Agent[]
  documents: ({
    documentType: 'soul' | 'instructions' | 'skills' | 'checks'
    content: string
    /** True if the vault has no text of its own yet. */
    isTemplate: boolean
    /** Version of the vault's own text and rules; 0 if it has none. */
    version: number
    updatedAt: string | null
    /** null for a template. */
    source: {
      /** The author's integration; null: a person, or unknown. */
      integrationId: string | null
      /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
      keyLabel?: string
      /** The operation that wrote it first. */
      route: string
      /** `user_authored` if only people shaped the text, `imported` if some of it came from a file. */
      trust: 'imported' | 'agent_authored' | 'user_authored'
      agentId: string | null
    } | null
    /** Who last changed its text, as the server knows it; null while only its author has. */
    changedBy: {
      /** null: a person, or unknown if `route` is that of an import. */
      integrationId: string | null
      /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
      agentId: string | null
      /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
      keyLabel?: string
      route: string
      at: string
    } | null
    /** Who removed the vault's own text, if it had one; its older versions are kept. */
    removedBy: {
      /** null: a person, or unknown if `route` is that of an import. */
      integrationId: string | null
      /** As the caller named itself, `user` for people; only a claim if `route` is that of an import. */
      agentId: string | null
      /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
      keyLabel?: string
      route: string
      at: string
    } | null
    /** True if it was cut to fit. The content then ends with a mark. */
    truncated?: boolean
  })[]
  pendingMessages: ({
    messageId: string
    threadId: string
    category: 'directive' | 'question' | 'info' | 'task' | 'alert'
    priority: number
    subject: string | null
    content: string
    /** True if the text was shortened. */
    clipped?: boolean
    targetType: 'agent' | 'user' | 'broadcast'
    /** Whole days. */
    ageDays: number
    source: {
      agentId: string
      senderType: 'agent' | 'user'
      /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
      keyLabel?: string
      trust: 'imported' | 'agent_authored' | 'user_authored'
      vaultId: string
    }
  })[]
  /** Messages to acknowledge, in all vaults; null if unknown. */
  pendingCount: number | null
  /** Changes since this agent last started or saved a session in this vault. The same for all calls of a run; null in its first session. */
  changesSinceLastSession: {
    since: string
    /** Memories other than tasks. */
    created: number
    updated: number
    archived: number
    tasksChanged: number
    notesChanged: number
    /** Received in this vault. */
    messages: number
    /** True if more has changed than was counted. */
    isPartial: boolean
  } | null
  /** Send this with every call of the session, as `agentRunId` or in the X-Agent-Run-Id header. list-active-agents uses it to show the run. */
  agentRunId: string | null
  budget: {
    maxResponseChars: number
    /** Length of this answer as JSON. */
    usedChars: number
    /** Number of entries of each part that did not fit. */
    omitted: Record<string, number>
  }
  /** Parts that are missing or incomplete because of a failure. */
  degraded: ({
    part: string
    reason: string
  })[]
}

/** Input of context-checkpoint. */
export interface ContextCheckpointInput {
  /** What to keep from the session, at most 50 memories. Each is validated and stored separately. */
  memories: ({
    /** As in write-memory. What to remember, 1 to 100,000 characters. */
    content?: unknown | undefined
    /** As in write-memory. Short form, at most 2,000 characters. */
    summary?: unknown | undefined
    /** As in write-memory. Kind of memory. */
    memoryType?: unknown | undefined
    /** As in write-memory. 1 (trivial) to 5 (vital). */
    importance?: unknown | undefined
    /** As in write-memory. 1 (a guess) to 5 (certain). */
    confidence?: unknown | undefined
    /** As in write-memory. Names of people, things or topics the memory is about, to filter by; at most 100. */
    entities?: unknown | undefined
    /** As in write-memory. Memories of the same vault to link to: ids, or objects with a relationType and a label. */
    relatedMemoryIds?: unknown | undefined
    /** As in write-memory. Notes it was derived from. */
    sourceNoteIds?: unknown | undefined
    /** As in write-memory. Id of the memory that this one supersedes. Searches stop finding the older one. */
    supersededById?: unknown | undefined
    /** As in write-memory. When it expires: searches stop finding it. */
    expiresAt?: unknown | undefined
    /** As in write-memory. */
    metadata?: unknown | undefined
    /** As in write-memory. Why it was written. */
    writeReason?: unknown | undefined
    /** As in write-memory. When the event it describes took place. Default: now. */
    occurredAt?: unknown | undefined
  })[]
  /** What happened. Stored as an episodic memory. */
  sessionSummary: string
  /** Skip memories that repeat an existing one of the same type. Default: true. */
  dedup?: boolean | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** The run that ends or pauses here. With a run id, a repeated call stores nothing twice. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of context-checkpoint. */
export interface ContextCheckpointOutput {
  vaultId: string
  total: number
  created: number
  skipped: number
  failed: number
  durationMs: number
  /** In the order of the memories sent. */
  results: ({
    index: number
    /** skipped: a memory that says the same thing already exists, or the memory was only proposed. */
    status: 'created' | 'skipped' | 'failed'
    /** Id of the created or existing memory. */
    memoryId?: string
    /** With dedup: what was found. `none` and `superseded` store the new record, the others do not. */
    dedupAction?: 'none' | 'exact_match' | 'near_duplicate' | 'semantic_duplicate' | 'superseded'
    /** The existing record that it was compared with. */
    duplicateOfId?: string
    /** 1 if the texts are the same or one rewords the other, otherwise the similarity of their vectors. */
    similarity?: number
    supersededMemoryId?: string
    /** Why it failed. */
    error?: string
    /** Set if nothing was changed: someone else wrote the record, and the person decides about the change in Review. */
    proposal?: {
      proposalId: string
      /** `rejected`: the person has already rejected the same change. */
      status: 'pending' | 'rejected'
      /** The record that would change. */
      recordId: string
      message: string
    }
  })[]
  summaryMemoryId: string
  /** Whether the same checkpoint of this run was already answered. */
  idempotent: boolean
  /** The most urgent pending messages, clipped, at most 10. */
  pendingMessages?: ({
    messageId: string
    threadId: string
    category: 'directive' | 'question' | 'info' | 'task' | 'alert'
    priority: number
    subject: string | null
    content: string
    /** True if the text was shortened. */
    clipped?: boolean
    targetType: 'agent' | 'user' | 'broadcast'
    /** Whole days. */
    ageDays: number
    source: {
      agentId: string
      senderType: 'agent' | 'user'
      /** Label of its integration, if agentId is not its own name; `deleted` if the integration was deleted. */
      keyLabel?: string
      trust: 'imported' | 'agent_authored' | 'user_authored'
      vaultId: string
    }
  })[]
}

/** Input of write-memory. */
export interface WriteMemoryInput {
  /** What to remember, 1 to 100,000 characters. */
  content: string
  /** Short form, at most 2,000 characters. */
  summary?: string | undefined
  /** Kind of memory. Default: "fact". */
  memoryType?: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction' | undefined
  /** 1 (trivial) to 5 (vital). Default: 3. */
  importance?: number | undefined
  /** 1 (a guess) to 5 (certain). Default: 3. */
  confidence?: number | undefined
  /** Names of people, things or topics the memory is about, to filter by; at most 100. */
  entities?: string[] | undefined
  /** Memories of the same vault to link to: ids, or objects with a relationType and a label. */
  relatedMemoryIds?: (string | {
    memoryId: string
    relationType?: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual' | undefined
    label?: string | undefined
  })[] | undefined
  /** Notes it was derived from. */
  sourceNoteIds?: string[] | undefined
  /** Id of the memory that this one supersedes. Searches stop finding the older one. */
  supersededById?: string | undefined
  /** When it expires: searches stop finding it. */
  expiresAt?: string | undefined
  /** Any JSON object; at most 65,536 characters as JSON. */
  metadata?: Record<string, unknown> | undefined
  /** Why it was written. */
  writeReason?: string | undefined
  /** When the event it describes took place. Default: now. */
  occurredAt?: string | undefined
  /** Idempotency key: a repeated call returns the first memory and changes nothing. Must not begin with `ingest-turn:`. */
  externalWriteId?: string | undefined
  /** First look for a memory of the same type that says the same thing. If one exists, the call returns it and stores nothing; if it is out of date, the new memory is stored and supersedes it. Default: false. */
  dedup?: boolean | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of write-memory. */
export interface WriteMemoryOutput {
  memoryId: string
  created: boolean
  /** True if an earlier write with the same externalWriteId stored it. */
  idempotent: boolean
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
  vaultId: string
  version: number
  /** With dedup: what was found. `none` and `superseded` store the new record, the others do not. */
  dedupAction?: 'none' | 'exact_match' | 'near_duplicate' | 'semantic_duplicate' | 'superseded'
  /** The existing record that it was compared with. */
  duplicateOfId?: string
  /** 1 if the texts are the same or one rewords the other, otherwise the similarity of their vectors. */
  similarity?: number
  supersededMemoryId?: string
  /** Set if nothing was changed: someone else wrote the record, and the person decides about the change in Review. */
  proposal?: {
    proposalId: string
    /** `rejected`: the person has already rejected the same change. */
    status: 'pending' | 'rejected'
    /** The record that would change. */
    recordId: string
    message: string
  }
}

/** Input of read-memories. */
export interface ReadMemoriesInput {
  /** Ids of the memories, 1 to 50. */
  memoryIds: string[]
  /** Also return the older versions of the memory, which other writers or runs replaced. Only with one id. Default: false. */
  includeVersions?: boolean | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of read-memories. */
export interface ReadMemoriesOutput {
  /** In the order of the ids. */
  memories: Memory[]
  /** Ids that match no memory of this vault. */
  notFound: string[]
  /** With includeVersions: older versions, latest first. */
  versions?: MemoryVersion[]
}

/** Input of update-memory. */
export interface UpdateMemoryInput {
  /** Id of the memory. */
  memoryId: string
  /** What to remember, 1 to 100,000 characters. */
  content?: string | undefined
  /** Short form, at most 2,000 characters. */
  summary?: string | undefined
  /** Kind of memory. */
  memoryType?: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction' | undefined
  /** 1 (trivial) to 5 (vital). */
  importance?: number | undefined
  /** 1 (a guess) to 5 (certain). */
  confidence?: number | undefined
  /** Names of people, things or topics the memory is about, to filter by; at most 100. */
  entities?: string[] | undefined
  /** Memories of the same vault to link to: ids, or objects with a relationType and a label. */
  relatedMemoryIds?: (string | {
    memoryId: string
    relationType?: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual' | undefined
    label?: string | undefined
  })[] | undefined
  /** Notes it was derived from. */
  sourceNoteIds?: string[] | undefined
  /** Id of the memory that this one supersedes. Searches stop finding the older one. */
  supersededById?: string | undefined
  /** When it expires; null: never. */
  expiresAt?: string | null | undefined
  /** Merged into the stored metadata; a key set to null is deleted. */
  metadata?: Record<string, unknown> | undefined
  /** Why it was written. */
  writeReason?: string | undefined
  /** When the event it describes took place. Default: now. */
  occurredAt?: string | undefined
  /** false restores an archived memory. To archive one, use archive-memory. */
  archived?: false | undefined
  /** Restore this older version. No other field except `expectedVersion` may be given with it. The record is then trusted as much as that version, and as you are. */
  fromVersion?: number | undefined
  /** Fail with 409 unless the record still has this version. */
  expectedVersion?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of update-memory. */
export interface UpdateMemoryOutput {
  memoryId: string
  /** False if there was nothing to change. */
  updated: boolean
  version: number
  vaultId: string
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
  updatedAt: string
  /** Set if nothing was changed: someone else wrote the record, and the person decides about the change in Review. */
  proposal?: {
    proposalId: string
    /** `rejected`: the person has already rejected the same change. */
    status: 'pending' | 'rejected'
    /** The record that would change. */
    recordId: string
    message: string
  }
}

/** Input of archive-memory. */
export interface ArchiveMemoryInput {
  /** Id of the memory. */
  memoryId: string
  /** Why it is archived. Kept with the memory. */
  reason?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of archive-memory. */
export interface ArchiveMemoryOutput {
  memoryId: string
  /** False only if the change was proposed. */
  archived: boolean
  alreadyArchived: boolean
  /** null only if the change was proposed. */
  archivedAt: string | null
  vaultId: string
  /** Set if nothing was changed: someone else wrote the record, and the person decides about the change in Review. */
  proposal?: {
    proposalId: string
    /** `rejected`: the person has already rejected the same change. */
    status: 'pending' | 'rejected'
    /** The record that would change. */
    recordId: string
    message: string
  }
}

/** Input of cleanup-memories. */
export interface CleanupMemoriesInput {
  /** Only memories not changed for this many days. */
  olderThanDays?: number | undefined
  /** Only memories of this importance or lower. */
  maxImportance?: number | undefined
  /** Only memories of this confidence or lower. */
  maxConfidence?: number | undefined
  /** Only memories of these types. */
  memoryTypes?: ('fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction')[] | undefined
  /** Only memories not read for this many days. */
  notAccessedSinceDays?: number | undefined
  /** Also match expired memories. Without another filter, match only those. Default: false. */
  includeExpired?: boolean | undefined
  /** Only memories that match the other filters and say the same as an older one. Tasks are not compared. Default: false. */
  duplicatesOnly?: boolean | undefined
  /** Continue after this memory: the `nextAfter` of the previous answer. Memories are ordered oldest first. */
  afterMemoryId?: string | undefined
  /** Maximum number to archive, oldest first; 1 to 500. Default: 100. */
  limit?: number | undefined
  /** true: only return what would be archived. false: archive it. Default: true. */
  dryRun?: boolean | undefined
  /** Archive protected memories too, except those that the integration may not change. Needs the admin permission in this vault. Default: false. */
  force?: boolean | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of cleanup-memories. */
export interface CleanupMemoriesOutput {
  dryRun: boolean
  /** How many memories match the filters, including protected ones and ones beyond the limit. */
  matched: number
  archived: number
  /** How many matches were skipped because they are protected. */
  skippedProtected: number
  /** What was archived, or would be. */
  memoryIds: string[]
  vaultId: string
  /** Set if comparing stopped early: send it as `afterMemoryId` to continue. */
  nextAfter?: string
  /** What to do next. */
  hint?: string
}

/** Input of get-related-memories. */
export interface GetRelatedMemoriesInput {
  /** Id of the memory. */
  memoryId: string
  /** Maximum distance in links, 1 to 3. Paths can lead through notes. Default: 1. */
  maxHops?: number | undefined
  /** Only links of these relations. */
  relationTypes?: ('wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual')[] | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of get-related-memories. */
export interface GetRelatedMemoriesOutput {
  memoryId: string
  /** Nearest first, then by importance. */
  memories: RelatedMemory[]
  /** Records of this page that are damaged, so they are left out. Delete them permanently, or restore a backup. */
  leftOut?: {
    damagedIds: string[]
  }
  total: number
  limit: number
  offset: number
  hasMore: boolean
  /** Whether a limit was reached: 1,000 nodes in total, and 256 links per node in each direction, or fewer if a hop has hundreds of nodes. */
  truncated: boolean
}

/** Input of search-memories. */
export interface SearchMemoriesInput {
  /** A question or keywords, 1 to 10,000 characters. */
  query: string
  /** How many to return, 1 to 50. Default: 10. */
  topK?: number | undefined
  /** Minimum similarity of a semantic match, 0 to 1. Does not affect matches by words. Up to 0.4, the nearest fifth (at most 10) count too if words match little. Default: the vault's setting. Default: 0.4. */
  threshold?: number | undefined
  /** Only memories of this type. */
  memoryType?: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction' | undefined
  /** Only memories of these types. */
  memoryTypes?: ('fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction')[] | undefined
  /** Only memories that name at least one of these. */
  entities?: string[] | undefined
  /** Only memories of this importance or higher. */
  minImportance?: number | undefined
  /** Only memories stored at or after this moment. */
  createdAfter?: string | undefined
  /** Only memories stored before this moment. */
  createdBefore?: string | undefined
  /** Include archived memories. Default: false. */
  includeArchived?: boolean | undefined
  /** Days after which the small bonus for recent memories halves. Default: the vault's setting. Default: 30. */
  decayHalfLife?: number | undefined
  /** 0: by score alone; 1: avoid similar results as far as possible. Default: the vault's setting. Default: 0.7. */
  diversity?: number | undefined
  /** Let the reranker read the best results if the server has one. false answers sooner. Default: true. */
  rerank?: boolean | undefined
  /** The time at which the question is asked; later memories are left out. Default: now. */
  asOf?: string | undefined
  /** Return the summary instead of the content if there is one. Default: false. */
  summaryOnly?: boolean | undefined
  /** Add scoreDetails to each hit, and an explanation of the search and of what it left out. Default: false. */
  explain?: boolean | undefined
  /** Ids of memories: explain why they are missing from the answer. At most 20. Implies explain. */
  explainIds?: string[] | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of search-memories. */
export interface SearchMemoriesOutput {
  searchMode: 'hybrid' | 'blind_only' | 'semantic_only'
  /** Best first. */
  memories: MemoryHit[]
  /** Parts of the search that could not run fully, and why. */
  degraded: ({
    leg: 'semantic' | 'blind' | 'graph' | 'reranker'
    reason: string
  })[]
  unitsUsed: number
  embeddingTokens: number
  semanticMatchCount: number
  blindIndexMatchCount: number
  graphExpansionCount: number
  /** If explain is true or explainIds are given. */
  explanation?: SearchExplanation
}

/** Input of create-task. */
export interface CreateTaskInput {
  /** What to do, 1 to 10,000 characters. */
  title: string
  /** Details, at most 100,000 characters. */
  description?: string | undefined
  /** Assignee: the identifier of an agent. */
  assignedAgentId?: string | undefined
  /** What must be true for it to be done; at most 10,000 characters. */
  doneWhen?: string | undefined
  /** What it is waiting for, at most 10,000 characters. Cleared once it is no longer blocked. */
  blockedReason?: string | undefined
  /** Its status. Default: "todo". */
  status?: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked' | undefined
  /** 1 (low) to 5 (urgent); the importance of its memory. Default: 3. */
  priority?: number | undefined
  /** Names of people or things the task is about, to filter by; at most 100. */
  entities?: string[] | undefined
  /** Any JSON object; at most 65,536 characters as JSON. */
  metadata?: Record<string, unknown> | undefined
  /** Idempotency key: a repeated call returns the first task and changes nothing. */
  externalWriteId?: string | undefined
  /** First look for a task that says the same thing, is not done, and has the same status and assignee. If one exists, the call returns it and stores nothing. Default: false. */
  dedup?: boolean | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of create-task. */
export interface CreateTaskOutput {
  taskId: string
  created: boolean
  /** True if an earlier call with the same externalWriteId created it. */
  idempotent: boolean
  status: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked'
  vaultId: string
  version: number
  /** With dedup: what was found. `none` and `superseded` store the new record, the others do not. */
  dedupAction?: 'none' | 'exact_match' | 'near_duplicate' | 'semantic_duplicate' | 'superseded'
  /** The existing record that it was compared with. */
  duplicateOfId?: string
  /** 1 if the texts are the same or one rewords the other, otherwise the similarity of their vectors. */
  similarity?: number
  supersededTaskId?: string
}

/** Input of update-task. */
export interface UpdateTaskInput {
  /** Id of the task; the same as the id of its memory. */
  taskId: string
  /** What to do, 1 to 10,000 characters. */
  title?: string | undefined
  /** Details, at most 100,000 characters; an empty text clears them. */
  description?: string | undefined
  /** Its new status; every change is allowed. `done` sets completedAt; other statuses clear it. */
  status?: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked' | undefined
  /** 1 (low) to 5 (urgent). */
  priority?: number | undefined
  /** Assignee: the identifier of an agent; null clears it. */
  assignedAgentId?: string | null | undefined
  /** What must be true for it to be done, at most 10,000 characters; null or an empty text clears it. */
  doneWhen?: string | null | undefined
  /** What it is waiting for, at most 10,000 characters; null or an empty text clears it. Cleared once it is no longer blocked. */
  blockedReason?: string | null | undefined
  /** Names of people or things the task is about, to filter by; at most 100. */
  entities?: string[] | undefined
  /** Merged into the stored metadata; a key set to null is deleted. */
  metadata?: Record<string, unknown> | undefined
  /** A comment, kept in the task's history with its author and time. */
  comment?: string | undefined
  /** Fail with 409 unless the task has this status. If several agents claim it, one succeeds. */
  expectedStatus?: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked' | undefined
  /** Fail with 409 unless the record still has this version. */
  expectedVersion?: number | undefined
  /** Restore this older version. No other field except `expectedVersion` may be given with it. The record is then trusted as much as that version, and as you are. */
  fromVersion?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of update-task. */
export interface UpdateTaskOutput {
  taskId: string
  /** False if there was nothing to change. */
  updated: boolean
  status: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked'
  previousStatus: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked'
  version: number
  completedAt: string | null
  vaultId: string
  /** Set if nothing was changed: someone else wrote the record, and the person decides about the change in Review. */
  proposal?: {
    proposalId: string
    /** `rejected`: the person has already rejected the same change. */
    status: 'pending' | 'rejected'
    /** The record that would change. */
    recordId: string
    message: string
  }
}

/** Input of list-tasks. */
export interface ListTasksInput {
  /** Only tasks with these ids, 1 to 50. */
  taskIds?: string[] | undefined
  /** Only tasks that contain all of these words, at most 8. A word that no task contains is ignored. */
  q?: string | undefined
  /** Only tasks with this status, or with any of these. */
  status?: 'backlog' | 'todo' | 'in_progress' | 'done' | 'blocked' | ('backlog' | 'todo' | 'in_progress' | 'done' | 'blocked')[] | undefined
  /** Only tasks assigned to this agent. */
  assignedAgentId?: string | undefined
  /** Only tasks that are not assigned. */
  unassigned?: boolean | undefined
  /** Only tasks that name this entity. */
  entity?: string | undefined
  /** Only tasks that were created in this run. */
  runId?: string | undefined
  /** Only tasks with this priority or higher. */
  priorityMin?: number | undefined
  /** Only tasks created at or after this moment. */
  createdFrom?: string | undefined
  /** Only tasks created before this moment. */
  createdTo?: string | undefined
  /** Include done tasks. Default: true. */
  includeDone?: boolean | undefined
  /** Include archived tasks in the list and the counts. Default: false. */
  includeArchived?: boolean | undefined
  /** `live`: not archived. Default: `live`, or `all` with includeArchived. */
  state?: 'live' | 'archived' | 'all' | undefined
  /** `urgent`: highest priority first, then last changed. `updated`: last changed first. `newest`: newest first. Default: "urgent". */
  sort?: 'urgent' | 'updated' | 'newest' | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of list-tasks. */
export interface ListTasksOutput {
  tasks: Task[]
  /** Number of tasks with each status, regardless of the filter `status`. */
  counts: {
    backlog: number
    todo: number
    in_progress: number
    done: number
    blocked: number
  }
  /** Records of this page that are damaged, so they are left out. Delete them permanently, or restore a backup. */
  leftOut?: {
    damagedIds: string[]
  }
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of create-note. */
export interface CreateNoteInput {
  /** Title, 1 to 500 characters. Other notes link to it as [[Title]]. */
  title: string
  /** Text, usually markdown, at most 500,000 characters. [[Title]], [[Title|alias]] and [[Title#Heading]] link to notes. Default: "". */
  content?: string | undefined
  /** At most 50 tags of 1 to 100 characters. Tags that differ only in letter case or white space are the same. */
  tags?: string[] | undefined
  /** Folder to put it in. */
  folderId?: string | undefined
  /** The same folder as a path, such as `Projects/Holdfast`; missing folders are created. At most 20 levels. */
  folderPath?: string | undefined
  /** Idempotency key: a repeated call returns the first note and changes nothing. */
  externalWriteId?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of create-note. */
export interface CreateNoteOutput {
  noteId: string
  created: boolean
  /** True if an earlier write with the same externalWriteId created the note. */
  idempotent: boolean
  vaultId: string
  folderId: string | null
  title: string
  version: number
  /** Notes that the text links to by title. */
  links: ({
    noteId: string
    /** As written in the text. */
    title: string
  })[]
  /** Titles in links that no note has yet. */
  unresolvedLinks: string[]
}

/** Input of read-note. */
export interface ReadNoteInput {
  /** Id of the note. */
  noteId: string
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of read-note. */
export interface ReadNoteOutput {
  note: Note
  /** Notes that the text links to by title. */
  links: ({
    noteId: string
    /** As written in the text. */
    title: string
  })[]
  /** Titles in links that no note has yet. */
  unresolvedLinks: string[]
}

/** Input of read-notes. */
export interface ReadNotesInput {
  /** Ids of the notes, 1 to 50. */
  noteIds: string[]
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of read-notes. */
export interface ReadNotesOutput {
  /** In the requested order. */
  notes: Note[]
  /** Ids that match no note in this vault. */
  notFound: string[]
}

/** Input of update-note. */
export interface UpdateNoteInput {
  /** Id of the note. */
  noteId: string
  /** New title; notes that link to this one by the old title are rewritten. */
  title?: string | undefined
  /** With a new title: false leaves notes that link to the old title unchanged. Default: true. */
  rewriteLinks?: boolean | undefined
  /** Text, usually markdown, at most 500,000 characters. [[Title]], [[Title|alias]] and [[Title#Heading]] link to notes. */
  content?: string | undefined
  /** Whether content replaces the text, or is added after or before it without a separator. Default: "replace". */
  mode?: 'replace' | 'append' | 'prepend' | undefined
  /** Changes within the text, applied in order, instead of content; 1 to 100. Their number times the length of the note may be at most 5,000,000 characters. */
  edits?: ({
    /** A passage that occurs exactly once. */
    find: string
    /** The text to put in its place. */
    replace: string
  })[] | undefined
  /** The new list of tags, at most 50. */
  tags?: string[] | undefined
  /** Restore this older version. No other field except `expectedVersion` may be given with it. The record is then trusted as much as that version, and as you are. */
  fromVersion?: number | undefined
  /** false restores a trashed note. To trash one, use delete-note. */
  trashed?: false | undefined
  /** Fail with 409 unless the record still has this version. */
  expectedVersion?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of update-note. */
export interface UpdateNoteOutput {
  noteId: string
  /** False if there was nothing to change. */
  updated: boolean
  version: number
  vaultId: string
  updatedAt: string
  /** The new text, if a new title also changed links of the note to itself that you did not write. */
  content?: string
  /** Notes that the text links to by title. */
  links: ({
    noteId: string
    /** As written in the text. */
    title: string
  })[]
  /** Titles in links that no note has yet. */
  unresolvedLinks: string[]
  /** Set if nothing was changed: someone else wrote the record, and the person decides about the change in Review. */
  proposal?: {
    proposalId: string
    /** `rejected`: the person has already rejected the same change. */
    status: 'pending' | 'rejected'
    /** The record that would change. */
    recordId: string
    message: string
  }
}

/** Input of delete-note. */
export interface DeleteNoteInput {
  /** Id of the note. */
  noteId: string
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of delete-note. */
export interface DeleteNoteOutput {
  noteId: string
  /** False only if the change was proposed. */
  trashed: boolean
  /** null only if the change was proposed. */
  trashedAt: string | null
  alreadyTrashed: boolean
  vaultId: string
  /** Set if nothing was changed: someone else wrote the record, and the person decides about the change in Review. */
  proposal?: {
    proposalId: string
    /** `rejected`: the person has already rejected the same change. */
    status: 'pending' | 'rejected'
    /** The record that would change. */
    recordId: string
    message: string
  }
}

/** Input of move-note. */
export interface MoveNoteInput {
  /** Id of the note. */
  noteId: string
  /** Folder to move it to; null: the vault's root. Without folderId and folderPath, the note stays in place. */
  folderId?: string | null | undefined
  /** The same folder as a path, such as `Projects/Holdfast`; missing folders are created. At most 20 levels. */
  folderPath?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of move-note. */
export interface MoveNoteOutput {
  noteId: string
  /** False if the note was already there. */
  moved: boolean
  folderId: string | null
  folderPath: string | null
  version: number
  vaultId: string
}

/** Input of list-notes. */
export interface ListNotesInput {
  /** Only live notes whose titles contain this, then notes that contain its words; at most 100 of each. */
  q?: string | undefined
  /** Only notes in this folder. Default: the whole vault. */
  folderId?: string | undefined
  /** The same folder as a path, such as `Projects/Holdfast`. */
  folderPath?: string | undefined
  /** Include notes in the folders inside it. false without a folder: only notes at the vault's root. Default: true. */
  recursive?: boolean | undefined
  /** Only notes with all of these tags. */
  tags?: string[] | undefined
  /** Include trashed notes, marked as such. Default: false. */
  includeTrashed?: boolean | undefined
  /** Default: `live`, or `all` with includeTrashed. With q only live notes are found. */
  state?: 'live' | 'trashed' | 'all' | undefined
  /** `updated`: the most recently changed first. With q the best match is always first. Default: "newest". */
  sort?: 'newest' | 'updated' | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of list-notes. */
export interface ListNotesOutput {
  notes: NoteOutline[]
  /** Records of this page that are damaged, so they are left out. Delete them permanently, or restore a backup. */
  leftOut?: {
    damagedIds: string[]
  }
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of search-notes. */
export interface SearchNotesInput {
  /** Words to look for, 1 to 10,000 characters. Finds notes with any of them. If there are many, only the 32 rarest count, or fewer if each is in thousands of notes. */
  query: string
  /** Only notes with all of these tags. */
  tags?: string[] | undefined
  /** Only notes in this folder and the folders inside it. */
  folderId?: string | undefined
  /** The same folder as a path, such as `Projects/Holdfast`. */
  folderPath?: string | undefined
  /** Where to look for the words. Default: everywhere. */
  in?: ('title' | 'tags' | 'content')[] | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of search-notes. */
export interface SearchNotesOutput {
  /** Best first. */
  notes: NoteMatch[]
  /** Records of this page that are damaged, so they are left out. Delete them permanently, or restore a backup. */
  leftOut?: {
    damagedIds: string[]
  }
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of semantic-search. */
export interface SemanticSearchInput {
  /** A question or keywords, 1 to 10,000 characters. */
  query: string
  /** How many to return, 1 to 50. Default: 10. */
  topK?: number | undefined
  /** Minimum similarity, 0 to 1. Default: 0.5. */
  threshold?: number | undefined
  /** Only notes with all of these tags. */
  tags?: string[] | undefined
  /** Only notes in this folder and the folders inside it. */
  folderId?: string | undefined
  /** The same folder as a path, such as `Projects/Holdfast`. */
  folderPath?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of semantic-search. */
export interface SemanticSearchOutput {
  /** Best first. */
  notes: NoteHit[]
  embeddingTokens: number
  /** `blind_only` if the query has no vector. Then notes are found by words, and `degraded` says why. */
  searchMode: 'semantic_only' | 'blind_only'
  /** Parts of the search that could not run fully, and why. */
  degraded: ({
    leg: 'semantic' | 'blind' | 'graph' | 'reranker'
    reason: string
  })[]
}

/** Input of search-and-read. */
export interface SearchAndReadInput {
  /** A question or keywords, 1 to 10,000 characters. */
  query: string
  /** How many to return, 1 to 10. Default: 3. */
  topK?: number | undefined
  /** Minimum similarity of a semantic match, 0 to 1. Does not affect matches by words. Up to 0.4, the nearest fifth (at most 10) count too if words match little. Default: the vault's setting. Default: 0.4. */
  threshold?: number | undefined
  /** Maximum characters of content per note. Default: 8000. */
  maxChars?: number | undefined
  /** Only notes with all of these tags. */
  tags?: string[] | undefined
  /** Only notes in this folder and the folders inside it. */
  folderId?: string | undefined
  /** The same folder as a path, such as `Projects/Holdfast`. */
  folderPath?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of search-and-read. */
export interface SearchAndReadOutput {
  /** Best first. */
  notes: NoteRead[]
  embeddingTokens: number
  searchMode: 'hybrid' | 'blind_only' | 'semantic_only'
  /** Parts of the search that could not run fully, and why. */
  degraded: ({
    leg: 'semantic' | 'blind' | 'graph' | 'reranker'
    reason: string
  })[]
}

/** Input of create-folder. */
export interface CreateFolderInput {
  /** Name of the folder, without `/`. Names that differ only in letter case or white space are the same. */
  name?: string | undefined
  /** A path such as `Projects/Holdfast`; missing folders are created. With a name: the folder to create it in. At most 20 levels. */
  path?: string | undefined
  /** Folder in which the name or path starts. Default: the vault's root. */
  parentId?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of create-folder. */
export interface CreateFolderOutput {
  folderId: string
  /** The same as `folderId`. */
  id: string
  vaultId: string
  /** null at the vault's root. */
  parentId: string | null
  name: string
  /** Names from the root, separated by `/`. */
  path: string
  /** Live notes directly in the folder. */
  noteCount: number
  version: number
  createdAt: string
  updatedAt: string
  created: boolean
}

/** Input of list-folders. */
export interface ListFoldersInput {
  /** Only folders in this folder. Default: the whole vault. */
  parentId?: string | undefined
  /** Folders at any depth; false: only direct children. Default: true. */
  recursive?: boolean | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of list-folders. */
export interface ListFoldersOutput {
  folders: Folder[]
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of add-link. */
export interface AddLinkInput {
  /** Type of the source. */
  sourceType: 'note' | 'memory'
  /** Id of the note or memory that the link starts from. */
  sourceId: string
  /** Type of the target. */
  targetType: 'note' | 'memory'
  /** Id of the note or memory that the link points to. */
  targetId: string
  /** How the source relates to the target. */
  relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
  /** A comment on the link, at most 500 characters. */
  label?: string | undefined
  /** Idempotency key: a repeated call returns the first record and changes nothing. */
  externalWriteId?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of add-link. */
export interface AddLinkOutput {
  linkId: string
  /** False if the link already existed; it keeps its label. */
  created: boolean
  /** True if the link, or one with the same externalWriteId, already existed. Nothing was changed. */
  idempotent: boolean
  sourceType: 'note' | 'memory'
  sourceId: string
  targetType: 'note' | 'memory'
  targetId: string
  relationType: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual'
  vaultId: string
}

/** Input of remove-link. */
export interface RemoveLinkInput {
  /** Id of the link. Alternatively, pass sourceId, targetId and relationType. */
  linkId?: string | undefined
  /** Id of the note or memory that the link starts from. */
  sourceId?: string | undefined
  /** Id of the note or memory that the link points to. */
  targetId?: string | undefined
  /** How the source relates to the target. */
  relationType?: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual' | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of remove-link. */
export interface RemoveLinkOutput {
  linkId: string
  /** False if it was already removed. */
  removed: boolean
  vaultId: string
}

/** Input of get-links. */
export interface GetLinksInput {
  /** Type of the node. */
  nodeType: 'note' | 'memory'
  /** Id of the note or memory. */
  nodeId: string
  /** Links that leave the node, that reach it, or both. Default: "both". */
  direction?: 'both' | 'outgoing' | 'incoming' | undefined
  /** Only links of these relations. */
  relationTypes?: ('wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual')[] | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of get-links. */
export interface GetLinksOutput {
  links: NodeLink[]
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of explore-graph. */
export interface ExploreGraphInput {
  /** Start from the five best matches; 1 to 10,000 characters. */
  query?: string | undefined
  /** Start from this note or memory. The query is then ignored. */
  nodeId?: string | undefined
  /** Type of nodeId; with a query, the type of nodes to start from. Default: either. */
  nodeType?: 'note' | 'memory' | undefined
  /** Maximum distance in links, 1 to 5. Default: 2. */
  maxHops?: number | undefined
  /** Maximum number of nodes, 1 to 200. Default: 50. */
  maxNodes?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of explore-graph. */
export interface ExploreGraphOutput {
  /** The nodes that the walk started from, best first. */
  entryPoints: ({
    id: string
    type: 'note' | 'memory'
    /** A note's title; a memory's summary or first line, at most 200 characters. */
    title: string
    /** How well it matches the query. Comparable only within one answer. */
    score?: number
  })[]
  /** Nearest first, including the entry points. */
  nodes: ({
    id: string
    type: 'note' | 'memory'
    /** A note's title; a memory's summary or first line, at most 200 characters. */
    title: string
    /** Only for memories. */
    memoryType?: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
    /** Only for memories. */
    importance?: number
    /** Distance in links from the nearest entry point. */
    hop: number
    /** Total number of links. */
    degree: number
    /** How well it matches the query. Comparable only within one answer. */
    score?: number
  })[]
  /** Links among the nodes, at most 2,000. */
  edges: GraphEdge[]
  stats: {
    totalNodes: number
    totalEdges: number
    maxHopReached: number
    /** Whether more nodes within maxHops were left out. */
    truncated: boolean
  }
  /** Parts of the search that could not run fully, and why. */
  degraded: ({
    leg: 'semantic' | 'blind' | 'graph' | 'reranker'
    reason: string
  })[]
}

/** Input of send-message. */
export interface SendMessageInput {
  /** The recipient: an agent's id, "user" for the person, or "*" for every agent that reads the vault. */
  targetId: string
  /** Derived from targetId. The call fails if the two contradict each other. */
  targetType?: 'agent' | 'user' | 'broadcast' | undefined
  /** The text, 1 to 10,240 characters. */
  content: string
  /** At most 200 characters. Default: the template's, or no subject. */
  subject?: string | undefined
  /** Default: the template's, or info. Default: "info". */
  category?: 'directive' | 'question' | 'info' | 'task' | 'alert' | undefined
  /** 1 (can wait) to 5 (urgent). Default: the template's, or 3. Default: 3. */
  priority?: number | undefined
  /** Fills in category, priority and subject if you leave them out. */
  template?: 'task_assignment' | 'status_update' | 'alert' | 'question' | undefined
  /** The message that you reply to. The reply goes into its thread and vault. */
  parentMessageId?: string | undefined
  /** Days until it expires, 1 to 365. Default: 30. */
  expiresInDays?: number | undefined
  /** Idempotency key: a repeated call returns the first message and sends nothing. */
  externalWriteId?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of send-message. */
export interface SendMessageOutput {
  messageId: string
  created: boolean
  /** Whether an earlier message with the same externalWriteId was returned. */
  idempotent: boolean
  targetId: string
  targetType: 'agent' | 'user' | 'broadcast'
  category: 'directive' | 'question' | 'info' | 'task' | 'alert'
  priority: number
  vaultId: string
  threadId: string
  expiresAt: string
}

/** Input of read-messages. */
export interface ReadMessagesInput {
  /** Only this message. 404 if you cannot see it. */
  messageId?: string | undefined
  /** Messages received, sent, between agents, or all. Agents see only what they sent or received; people see every message in their vaults. Default: "received". */
  box?: 'received' | 'sent' | 'agents' | 'all' | undefined
  /** Only messages that you have or have not acknowledged. For messages between others: that anyone has or has not. Default: "all". */
  status?: 'pending' | 'acknowledged' | 'all' | undefined
  /** Only messages of this category. */
  category?: 'directive' | 'question' | 'info' | 'task' | 'alert' | undefined
  /** Only messages of this priority or higher. */
  priorityMin?: number | undefined
  /** Only messages from or to this agent. */
  withAgentId?: string | undefined
  /** Only messages from this sender. */
  fromAgentId?: string | undefined
  /** Only messages in this thread: the id of its first message. */
  threadId?: string | undefined
  /** Only messages sent at or after this time. */
  since?: string | undefined
  /** Whether to list messages that you sent as well. Default: false. */
  includeSent?: boolean | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** Only messages in this vault. Default: all vaults that the caller can read. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of read-messages. */
export interface ReadMessagesOutput {
  messages: Message[]
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of pending-messages. */
export interface PendingMessagesInput {
  /** Only messages of this priority or higher. */
  priorityMin?: number | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** Only messages in this vault. Default: all vaults that the caller can read. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of pending-messages. */
export interface PendingMessagesOutput {
  messages: Message[]
  /** Messages on all pages. */
  count: number
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of ack-message. */
export interface AckMessageInput {
  /** Id of the message. */
  messageId?: string | undefined
  /** Ids of several messages, 1 to 50. */
  messageIds?: string[] | undefined
  /** The result, for the sender to see. At most 2,000 characters. */
  note?: string | undefined
  /** Only messages in this vault. Default: all vaults that the caller can read. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of ack-message. */
export interface AckMessageOutput {
  messageId: string
  acknowledged: true
  status: 'acknowledged'
  acknowledgedAt: string
  alreadyAcknowledged: boolean
  /** With messageIds: one result per message, in the order of the ids. The other fields repeat the first result. */
  results?: ({
    messageId: string
    acknowledged: true
    status: 'acknowledged'
    acknowledgedAt: string
    alreadyAcknowledged: boolean
  })[]
  /** Ids that match no message to you. */
  notFound?: string[]
}

/** Input of ingest-turn. */
export interface IngestTurnInput {
  /** What was said, 1 to 50,000 characters. */
  content: string
  /** Who said it. */
  role: 'user' | 'assistant'
  /** Minimum signal score at which memories are extracted, 0 to 10. Default: the vault's setting. Default: 3. */
  signalThreshold?: number | undefined
  /** More words that count as signals, in addition to the vault's. At most 50 words of 100 characters, matched literally. */
  customSignalKeywords?: string[] | undefined
  /** When it was said. Default: now. */
  occurredAt?: string | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of ingest-turn. */
export interface IngestTurnOutput {
  turnId: string
  /** 0 to 10: how likely the turn contains something worth remembering. */
  signalScore: number
  /** Words that produced the score, in lower case. Custom words are returned as you gave them. */
  signalKeywords: string[]
  /** skipped: score below the threshold. stored: no memories found, or extraction is off. extracted: memories were stored. queued: waiting for the language model. failed: the memories could not be stored. The turn itself is kept in every case. */
  extractionStatus: 'skipped' | 'stored' | 'extracted' | 'queued' | 'failed'
  /** Memories that were created or already existed. */
  memoryIds: string[]
  vaultId: string
}

/** Input of session-track. */
export interface SessionTrackInput {
  /** start (creates a run id if you give none), heartbeat, tool (counts a tool call outside this service), or end. Default: "heartbeat". */
  event?: 'start' | 'heartbeat' | 'tool' | 'end' | undefined
  /** The tool that was called. */
  toolName?: string | undefined
  /** What the run is doing, at most 500 characters, for other agents to see. Default: the toolName. */
  currentActivity?: string | undefined
  /** Stored with the run. Replaces earlier metadata. */
  metadata?: Record<string, unknown> | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** The run. Needed, here or in the X-Agent-Run-Id header, unless the event is `start`. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of session-track. */
export interface SessionTrackOutput {
  tracked: boolean
  agentRunId: string
  /** Calls of the run so far: calls to this service in this vault, and tool events. */
  toolCalls: number
  startedAt: string
  lastSeenAt: string
  endedAt: string | null
}

/** Input of list-active-agents. */
export interface ListActiveAgentsInput {
  /** How far back to look, 1 minute to 7 days. Default: 60. */
  withinMinutes?: number | undefined
  /** How far back to look in days, instead of withinMinutes. */
  withinDays?: number | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of list-active-agents. */
export interface ListActiveAgentsOutput {
  /** Most recent first. */
  agents: ActiveAgent[]
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of read-document. */
export interface ReadDocumentInput {
  /** Which document. */
  documentType: 'soul' | 'instructions' | 'skills' | 'checks'
  /** The vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of read-document. */
export type ReadDocumentOutput = Document

/** Input of update-document. */
export interface UpdateDocumentInput {
  /** Which document. */
  documentType: 'soul' | 'instructions' | 'skills' | 'checks'
  /** The new text, or the text to add; the result has at most 100,000 characters. An empty replacement removes the text. The inherited text then applies, or the template. Required unless fromVersion is given. */
  content?: string | undefined
  /** Restore this older version. No other field except `expectedVersion` may be given with it. The record is then trusted as much as that version, and as you are. */
  fromVersion?: number | undefined
  /** append adds the content on a new line after the text that read-document returns. If the text was removed and nothing is inherited (inheritMode none), it becomes the whole text. Default: "replace". */
  mode?: 'replace' | 'append' | undefined
  /** Fail with 409 unless the vault's own text and rules still have this version. 0 means that it never had any. Your texts for all vaults don't count. */
  expectedVersion?: number | undefined
  /** The vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of update-document. */
export interface UpdateDocumentOutput {
  documentType: 'soul' | 'instructions' | 'skills' | 'checks'
  /** False if there was nothing to change. */
  updated: boolean
  /** Version of the vault's own text and rules; 0 if it never had any. */
  version: number
  vaultId: string
  /** Characters of the vault's own text. */
  length: number
  /** When the vault's own text or rules were last changed. */
  updatedAt: string | null
}

/** Input of get-settings. */
export interface GetSettingsInput {
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of get-settings. */
export interface GetSettingsOutput {
  vaultId: string
  settings: VaultSettings
  version: number
}

/** Input of update-settings. */
export interface UpdateSettingsInput {
  /** The settings to change. */
  settings: {
    /** Minimum similarity of a semantic match in search-memories and search-and-read. Default: 0.4. */
    threshold?: number | null | undefined
    /** Days after which the small bonus for recent memories halves. Default: 30. */
    decayHalfLife?: number | null | undefined
    /** How strongly search-memories avoids similar results. Default: 0.7. */
    diversity?: number | null | undefined
    /** Whether searches rank a statement lower if a newer one about the same subject also fits. Default: true. */
    preferNewer?: boolean | null | undefined
    /** When a write counts as a duplicate. */
    dedup?: {
      /** Below 1, a text that says the same thing in other words counts as a duplicate, regardless of the exact number. 1 turns this off. Default: 0.85. */
      nearDuplicate?: number | null | undefined
      /** Similarity from which a text with the same meaning counts as a duplicate. 1 turns this off. Default: 0.95. */
      semanticDuplicate?: number | null | undefined
      /** Similarity from which a newer text about the same entity replaces the older one. 1 turns this off. Default: 0.88. */
      supersede?: number | null | undefined
    } | null | undefined
    /** Score from which ingest-turn looks for memories in a turn. Default: 3. */
    signalThreshold?: number | null | undefined
    /** Additional words that ingest-turn treats as signals. Default: []. */
    customSignalKeywords?: string[] | null | undefined
    /** What extracts memories from turns: nothing, rules, or the language model that the operator has configured. Default: rules. */
    extraction?: 'off' | 'rules' | 'llm' | null | undefined
    /** Mode of session-start if a call doesn't name one. Default: default. */
    defaultMode?: 'default' | 'planning' | 'incident' | 'handoff' | 'deep' | 'minimal' | 'none' | null | undefined
    /** Your own numbers and documents for modes of session-start. */
    sessionProfiles?: {
      /** For the mode default; null: the built-in profile. */
      default?: {
        /** Episodic memories, 0 to 10. */
        maxEpisodic?: number | null | undefined
        /** Facts, preferences, skills and corrections, 0 to 20. */
        maxFacts?: number | null | undefined
        /** Tasks, 0 to 10. */
        maxTasks?: number | null | undefined
        /** Constraints, 0 to 20. */
        maxConstraints?: number | null | undefined
        /** Documents. */
        includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[] | null | undefined
      } | null | undefined
      /** For the mode planning; null: the built-in profile. */
      planning?: {
        /** Episodic memories, 0 to 10. */
        maxEpisodic?: number | null | undefined
        /** Facts, preferences, skills and corrections, 0 to 20. */
        maxFacts?: number | null | undefined
        /** Tasks, 0 to 10. */
        maxTasks?: number | null | undefined
        /** Constraints, 0 to 20. */
        maxConstraints?: number | null | undefined
        /** Documents. */
        includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[] | null | undefined
      } | null | undefined
      /** For the mode incident; null: the built-in profile. */
      incident?: {
        /** Episodic memories, 0 to 10. */
        maxEpisodic?: number | null | undefined
        /** Facts, preferences, skills and corrections, 0 to 20. */
        maxFacts?: number | null | undefined
        /** Tasks, 0 to 10. */
        maxTasks?: number | null | undefined
        /** Constraints, 0 to 20. */
        maxConstraints?: number | null | undefined
        /** Documents. */
        includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[] | null | undefined
      } | null | undefined
      /** For the mode handoff; null: the built-in profile. */
      handoff?: {
        /** Episodic memories, 0 to 10. */
        maxEpisodic?: number | null | undefined
        /** Facts, preferences, skills and corrections, 0 to 20. */
        maxFacts?: number | null | undefined
        /** Tasks, 0 to 10. */
        maxTasks?: number | null | undefined
        /** Constraints, 0 to 20. */
        maxConstraints?: number | null | undefined
        /** Documents. */
        includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[] | null | undefined
      } | null | undefined
      /** For the mode deep; null: the built-in profile. */
      deep?: {
        /** Episodic memories, 0 to 10. */
        maxEpisodic?: number | null | undefined
        /** Facts, preferences, skills and corrections, 0 to 20. */
        maxFacts?: number | null | undefined
        /** Tasks, 0 to 10. */
        maxTasks?: number | null | undefined
        /** Constraints, 0 to 20. */
        maxConstraints?: number | null | undefined
        /** Documents. */
        includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[] | null | undefined
      } | null | undefined
      /** For the mode minimal; null: the built-in profile. */
      minimal?: {
        /** Episodic memories, 0 to 10. */
        maxEpisodic?: number | null | undefined
        /** Facts, preferences, skills and corrections, 0 to 20. */
        maxFacts?: number | null | undefined
        /** Tasks, 0 to 10. */
        maxTasks?: number | null | undefined
        /** Constraints, 0 to 20. */
        maxConstraints?: number | null | undefined
        /** Documents. */
        includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[] | null | undefined
      } | null | undefined
      /** For the mode none; null: the built-in profile. */
      none?: {
        /** Episodic memories, 0 to 10. */
        maxEpisodic?: number | null | undefined
        /** Facts, preferences, skills and corrections, 0 to 20. */
        maxFacts?: number | null | undefined
        /** Tasks, 0 to 10. */
        maxTasks?: number | null | undefined
        /** Constraints, 0 to 20. */
        maxConstraints?: number | null | undefined
        /** Documents. */
        includeDocuments?: ('soul' | 'instructions' | 'skills' | 'checks')[] | null | undefined
      } | null | undefined
    } | null | undefined
    /** When old records are deleted permanently. */
    retention?: {
      /** Days after which conversation turns are deleted. Default: never. */
      turnsDays?: number | null | undefined
      /** Days after which archived memories are deleted permanently. Default: never. */
      archivedDays?: number | null | undefined
      /** Days after which messages are deleted. Default: never. */
      messagesDays?: number | null | undefined
    } | null | undefined
  }
  /** Fail with 409 unless the record still has this version. */
  expectedVersion?: number | undefined
  /** The vault to work in. Default: the integration's primary vault. */
  vaultId?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of update-settings. */
export interface UpdateSettingsOutput {
  vaultId: string
  settings: VaultSettings
  /** The settings that have a different value now. */
  updated: string[]
  version: number
}

/** Input of create-vault. */
export interface CreateVaultInput {
  /** Name of the vault, 1 to 200 characters. */
  name: string
  /** What the vault is for, at most 2,000 characters. */
  description?: string | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of create-vault. */
export interface CreateVaultOutput {
  vaultId: string
  /** The same as `vaultId`. */
  id: string
  /** Its id if it is damaged. */
  name: string
  description: string | null
  isDefault: boolean
  noteCount: number
  memoryCount: number
  openTaskCount: number
  /** What the caller may do in this vault. */
  scopePreset: string
  /** Your role, if someone else shares it with you. Your own vaults have none. */
  role?: 'viewer' | 'editor' | 'admin'
  /** Who shares it with you. */
  owner?: Person
  /** How many people you share it with. Only in lists for people, of their own vaults. */
  memberCount?: number
  /** Its keys or its name can't be opened: delete it, with its id as its name, or restore a backup. */
  isDamaged?: true
  /** In lists: when a memory, task or note of the vault was last written. Null if it has none. */
  lastWriteAt?: string | null
  version: number
  createdAt: string
  /** When its name, description or default was last changed. */
  updatedAt: string
  created: boolean
}

/** Input of list-vaults. */
export interface ListVaultsInput {
  /** Only this vault. */
  id?: string | undefined
  /** Only the vault that contains this memory, task or note. None if no vault does. */
  recordId?: string | undefined
  /** How many to return, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** How many to skip. Default: 0. */
  offset?: number | undefined
  /** Identifier of the calling agent. Default: the integration's. */
  agentId?: string | undefined
  /** Session or run that groups operations. Default: the X-Agent-Run-Id header. */
  agentRunId?: string | undefined
  /** Name of the model in use. */
  modelId?: string | undefined
}

/** Output of list-vaults. */
export interface ListVaultsOutput {
  vaults: Vault[]
  /** Vaults that you are invited to. Only for people, and without `id`. */
  invitations?: ReceivedInvitation[]
  total: number
  limit: number
  offset: number
  hasMore: boolean
}

/** Input of info. */
export type InfoInput = Record<string, never>

/** Output of info. */
export interface InfoOutput {
  userId: string
  integrationId: string
  agentType: string | null
  label: string
  /** The agent's name if a call doesn't give one; null: the label is used. */
  agentId: string | null
  /** `pinned`: calls can only give its own name or one of `actsAs` as their agentId. */
  agentIds: 'pinned' | 'any'
  actsAs: string[]
  /** What its keys may do to records that someone else wrote: change, supersede, archive and trash them (`yes`), propose it, so that a person decides in Review (`ask`), or neither (`no`). It may always change its own records. Documents have their own switch, `agentEditable`. */
  writePolicy: {
    /** For records that a person wrote or was the last to change. */
    persons: 'yes' | 'ask' | 'no'
    /** For records of other agents, and those from a file. */
    agents: 'yes' | 'ask' | 'no'
  }
  /** Scopes in the vault `vaultId`. */
  scopes: ('read' | 'write' | 'search' | 'admin')[]
  /** Used when a call doesn't name a vault. */
  vaultId: string | null
  /** The only vaults that the key can use; empty if `restrictToVault` is false. */
  allowedVaultIds: string[]
  restrictToVault: boolean
  /** Vaults with their own preset. */
  vaultScopePresets: Record<string, 'read_only' | 'read_write' | 'admin'>
}

/** Input and output of each operation, and the item type of paged ones. */
export interface Operations {
  /** Begin a session and get what an agent should know about the vault, in one answer of the size you choose. Send its agentRunId with later calls (in the body, or as X-Agent-Run-Id), and list-active-agents shows this run to others. */
  'session-start': { input: SessionStartInput; output: SessionStartOutput }
  /** Save what a session learned, and its summary, in one call. */
  'context-checkpoint': { input: ContextCheckpointInput; output: ContextCheckpointOutput }
  /** Store a memory. */
  'write-memory': { input: WriteMemoryInput; output: WriteMemoryOutput }
  /** Read memories by id, with their full content. Archived ones are included and marked. */
  'read-memories': { input: ReadMemoriesInput; output: ReadMemoriesOutput }
  /** Change a memory, restore an archived one, or restore an older version. Omitted fields stay unchanged. What another writer wrote is kept as an older version. */
  'update-memory': { input: UpdateMemoryInput; output: UpdateMemoryOutput }
  /** Hide a memory from search without deleting it. */
  'archive-memory': { input: ArchiveMemoryInput; output: ArchiveMemoryOutput }
  /** Archive memories in bulk, by one or more filters, all of which must match. Importance 5, constraints, corrections, open tasks, the sources of other memories, and what the integration may not change are protected. */
  'cleanup-memories': { input: CleanupMemoriesInput; output: CleanupMemoriesOutput }
  /** List the live memories linked to a memory, nearest first. */
  'get-related-memories': { input: GetRelatedMemoriesInput; output: GetRelatedMemoriesOutput; item: GetRelatedMemoriesOutput['memories'][number] }
  /** Find memories by meaning, words and links. */
  'search-memories': { input: SearchMemoriesInput; output: SearchMemoriesOutput }
  /** Create a task: a memory of type task, which searches find like any other. */
  'create-task': { input: CreateTaskInput; output: CreateTaskOutput }
  /** Change a task: claim it, change its status, assign or rewrite it, or restore an older version. Omitted fields stay unchanged. */
  'update-task': { input: UpdateTaskInput; output: UpdateTaskOutput }
  /** List the tasks of a vault, most urgent first, then last changed. */
  'list-tasks': { input: ListTasksInput; output: ListTasksOutput; item: ListTasksOutput['tasks'][number] }
  /** Create a note, optionally in a folder. [[Titles]] in its text link to other notes. */
  'create-note': { input: CreateNoteInput; output: CreateNoteOutput }
  /** Read a note with its full text and what the text links to. Trashed notes are included and marked. */
  'read-note': { input: ReadNoteInput; output: ReadNoteOutput }
  /** Read notes by id with their full texts. Trashed notes are included and marked. */
  'read-notes': { input: ReadNotesInput; output: ReadNotesOutput }
  /** Change a note, or restore a former version or a trashed note. Omitted fields stay unchanged. The last 50 versions are kept, and the last one by each writer. */
  'update-note': { input: UpdateNoteInput; output: UpdateNoteOutput }
  /** Move a note to the trash. Searches, lists and links by title no longer find it; update-note with trashed: false restores it. */
  'delete-note': { input: DeleteNoteInput; output: DeleteNoteOutput }
  /** Move a note to another folder, or to the vault's root. */
  'move-note': { input: MoveNoteInput; output: MoveNoteOutput }
  /** List the notes of a vault or folder, newest first, each with the beginning of its text. */
  'list-notes': { input: ListNotesInput; output: ListNotesOutput; item: ListNotesOutput['notes'][number] }
  /** Find notes by the words of title, tags and content. */
  'search-notes': { input: SearchNotesInput; output: SearchNotesOutput; item: SearchNotesOutput['notes'][number] }
  /** Find notes by meaning. */
  'semantic-search': { input: SemanticSearchInput; output: SemanticSearchOutput }
  /** Find notes by meaning, words and links, and read the best of them. */
  'search-and-read': { input: SearchAndReadInput; output: SearchAndReadOutput }
  /** Create a folder for notes, or return the existing one with this name. */
  'create-folder': { input: CreateFolderInput; output: CreateFolderOutput }
  /** List the folders of a vault as a tree: sorted by name, each followed by the folders in it. */
  'list-folders': { input: ListFoldersInput; output: ListFoldersOutput; item: ListFoldersOutput['folders'][number] }
  /** Link two notes or memories of one vault. */
  'add-link': { input: AddLinkInput; output: AddLinkOutput }
  /** Remove a link between two notes or memories. To remove a link in the text of a note, edit the note. */
  'remove-link': { input: RemoveLinkInput; output: RemoveLinkOutput }
  /** List the links of a note or memory, newest first. */
  'get-links': { input: GetLinksInput; output: GetLinksOutput; item: GetLinksOutput['links'][number] }
  /** Follow links over several hops from a note or memory, or from the results of a query. */
  'explore-graph': { input: ExploreGraphInput; output: ExploreGraphOutput }
  /** Send a message to an agent, to the person, or to all agents of the vault. The recipient sees who sent it. */
  'send-message': { input: SendMessageInput; output: SendMessageOutput }
  /** Read the messages to you and to everyone, newest first. Reading does not acknowledge them. */
  'read-messages': { input: ReadMessagesInput; output: ReadMessagesOutput; item: ReadMessagesOutput['messages'][number] }
  /** List messages that this agent has not acknowledged, most urgent first, then oldest. Read all pages before you acknowledge any, because later messages move up. */
  'pending-messages': { input: PendingMessagesInput; output: PendingMessagesOutput; item: PendingMessagesOutput['messages'][number] }
  /** Acknowledge one or more messages to you. Each recipient of a broadcast acknowledges it separately. */
  'ack-message': { input: AckMessageInput; output: AckMessageOutput }
  /** Record a turn of a conversation. Anything in it worth remembering is stored as memories. */
  'ingest-turn': { input: IngestTurnInput; output: IngestTurnOutput }
  /** Report that a run is alive, what it is doing, and when it ends. Other calls with its agentRunId (in the body, or as X-Agent-Run-Id) are counted automatically. list-active-agents shows the run. */
  'session-track': { input: SessionTrackInput; output: SessionTrackOutput }
  /** List the agents that called recently in the vault, most recent first, each with its latest run. */
  'list-active-agents': { input: ListActiveAgentsInput; output: ListActiveAgentsOutput; item: ListActiveAgentsOutput['agents'][number] }
  /** Read one of a vault's documents: soul, instructions, skills or checks. */
  'read-document': { input: ReadDocumentInput; output: ReadDocumentOutput }
  /** Write one of a vault's documents, or add to it. Older versions are kept. */
  'update-document': { input: UpdateDocumentInput; output: UpdateDocumentOutput }
  /** Read a vault's settings in effect. */
  'get-settings': { input: GetSettingsInput; output: GetSettingsOutput }
  /** Change a vault's settings. Omitted settings stay unchanged; null resets one to its default. */
  'update-settings': { input: UpdateSettingsInput; output: UpdateSettingsOutput }
  /** Create a vault: a separate space for memories with its own key. */
  'create-vault': { input: CreateVaultInput; output: CreateVaultOutput }
  /** List the vaults that you can read, with counts, the default vault first. People also see those that others share with them, after their own. */
  'list-vaults': { input: ListVaultsInput; output: ListVaultsOutput; item: ListVaultsOutput['vaults'][number] }
  /** Show who this key belongs to and what it can do. Needs no scope. */
  'info': { input: InfoInput; output: InfoOutput }
}

export type OperationName = keyof Operations
