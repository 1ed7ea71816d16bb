// Written by `npm run generate` from the registry of operations; do not edit.

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
  source: {
    integrationId: string | null
    route: string
    trust: string
  }
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
  source: {
    integrationId: string | null
    route: string
    trust: string
  }
  accessCount: number
  lastAccessedAt: string | null
  occurredAt: string
  version: number
  createdAt: string
  updatedAt: string
  /** Left out where summaryOnly is true and there is a summary. */
  content?: string
  /** Comparable within one answer only. */
  score: number
  /** Cosine to the query; null where the semantic leg did not see it. */
  similarity: number | null
  matchSources: ('semantic' | 'blind' | 'graph')[]
  scoreDetails?: {
    /** Place in that list, from 1; null where it is not in it. */
    semanticRank: number | null
    /** Place in that list, from 1; null where it is not in it. */
    blindRank: number | null
    /** Place in that list, from 1; null where it is not in it. */
    graphRank: number | null
    rrf: number
    decay: number
    /** Factor of its importance in the score. */
    importance: number
    mmr: number | null
  }
}

export interface Vault {
  vaultId: string
  /** The same as `vaultId`. */
  id: string
  name: string
  description: string | null
  isDefault: boolean
  noteCount: number
  memoryCount: number
  openTaskCount: number
  /** What the caller may do in this vault. */
  scopePreset: string
  version: number
  createdAt: string
  updatedAt: string
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
  /** Names that the memory is about, to filter by; at most 100. */
  entities?: string[] | undefined
  /** Memories of the same vault to link to: ids, or objects with a relationType and a label. */
  relatedMemoryIds?: (string | {
    memoryId: string
    relationType?: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual' | undefined
    label?: string | undefined
  })[] | undefined
  /** Notes that it was derived from. */
  sourceNoteIds?: string[] | undefined
  /** Id of the memory that this one supersedes and takes out of search. */
  supersededById?: string | undefined
  /** From when on it counts as gone. */
  expiresAt?: string | undefined
  /** Any JSON object of your own; at most 65,536 characters as JSON. */
  metadata?: Record<string, unknown> | undefined
  /** Why it is written. */
  writeReason?: string | undefined
  /** When what it tells took place. Default: now. */
  occurredAt?: string | undefined
  /** Idempotency key: a repeat answers with the first memory and changes nothing. */
  externalWriteId?: string | undefined
  /** Look for a duplicate first. Not built yet: the memory is stored, and dedupAction says `none`. Default: false. */
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
  /** True where an earlier write with the same externalWriteId answered. */
  idempotent: boolean
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
  vaultId: string
  version: number
  /** Where dedup was asked for. */
  dedupAction?: 'none'
  supersededMemoryId?: string
}

/** Input of read-memories. */
export interface ReadMemoriesInput {
  /** Ids of the memories, 1 to 50. */
  memoryIds: string[]
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
  /** In the order asked. */
  memories: Memory[]
  /** Ids that are no memories of this vault. */
  notFound: string[]
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
  /** Names that the memory is about, to filter by; at most 100. */
  entities?: string[] | undefined
  /** Memories of the same vault to link to: ids, or objects with a relationType and a label. */
  relatedMemoryIds?: (string | {
    memoryId: string
    relationType?: 'wiki_link' | 'derived_from' | 'contradicts' | 'refines' | 'part_of' | 'supersedes' | 'source_of' | 'references' | 'manual' | undefined
    label?: string | undefined
  })[] | undefined
  /** Notes that it was derived from. */
  sourceNoteIds?: string[] | undefined
  /** Id of the memory that this one supersedes and takes out of search. */
  supersededById?: string | undefined
  /** From when on it counts as gone; null: never. */
  expiresAt?: string | null | undefined
  /** Merged into what is there; a key set to null is deleted. */
  metadata?: Record<string, unknown> | undefined
  /** Why it is written. */
  writeReason?: string | undefined
  /** When what it tells took place. Default: now. */
  occurredAt?: string | undefined
  /** false restores an archived memory; archive-memory archives. */
  archived?: false | undefined
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
  /** False where nothing was to change. */
  updated: boolean
  version: number
  vaultId: string
  memoryType: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction'
  updatedAt: string
}

/** Input of archive-memory. */
export interface ArchiveMemoryInput {
  /** Id of the memory. */
  memoryId: string
  /** Why; kept with the memory. */
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
  archived: true
  alreadyArchived: boolean
  archivedAt: string
  vaultId: string
}

/** Input of search-memories. */
export interface SearchMemoriesInput {
  /** What to look for, in words; 1 to 10,000 characters. */
  query: string
  /** How many to return, 1 to 50. Default: 10. */
  topK?: number | undefined
  /** Least similarity of a semantic match, 0 to 1; matches by words are never cut by it. Default: 0.4. */
  threshold?: number | undefined
  /** Only memories of this type. */
  memoryType?: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction' | undefined
  /** Only memories of these types. */
  memoryTypes?: ('fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction')[] | undefined
  /** Only memories that name at least one of these. */
  entities?: string[] | undefined
  /** Only memories of this importance or more. */
  minImportance?: number | undefined
  /** Only memories stored at or after this moment. */
  createdAfter?: string | undefined
  /** Only memories stored before this moment. */
  createdBefore?: string | undefined
  /** Whether archived memories are found as well. Default: false. */
  includeArchived?: boolean | undefined
  /** Days after which the small bonus of recent memories halves. Default: 30. */
  decayHalfLife?: number | undefined
  /** 0: by score alone; 1: avoid similar results as far as possible. Default: 0.7. */
  diversity?: number | undefined
  /** The moment the question is asked; later memories are left out. Default: now. */
  asOf?: string | undefined
  /** Return summaries in place of contents where there are any. Default: false. */
  summaryOnly?: boolean | undefined
  /** Add scoreDetails to each hit. Default: false. */
  explain?: boolean | undefined
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
    leg: 'semantic' | 'blind' | 'graph'
    reason: string
  })[]
  unitsUsed: number
  embeddingTokens: number
  semanticMatchCount: number
  blindIndexMatchCount: number
  graphExpansionCount: number
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
  created: boolean
  name: string
  createdAt: string
}

/** Input of list-vaults. */
export interface ListVaultsInput {
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
  /** Held in the vault that `vaultId` names. */
  scopes: ('read' | 'write' | 'search' | 'admin')[]
  /** The vault of calls that name none. */
  vaultId: string | null
  /** The only vaults that may be used; empty where `restrictToVault` is false. */
  allowedVaultIds: string[]
  restrictToVault: boolean
  /** Vaults with a preset of their own. */
  vaultScopePresets: Record<string, 'read_only' | 'read_write' | 'admin'>
}

/** What each operation takes and answers. */
export interface Operations {
  /** Store a memory. */
  writeMemory: { input: WriteMemoryInput; output: WriteMemoryOutput }
  /** Read memories whole, by id, archived ones included and marked. */
  readMemories: { input: ReadMemoriesInput; output: ReadMemoriesOutput }
  /** Change a memory, or restore an archived one. Fields left out stay as they are. */
  updateMemory: { input: UpdateMemoryInput; output: UpdateMemoryOutput }
  /** Hide a memory from search without deleting it. */
  archiveMemory: { input: ArchiveMemoryInput; output: ArchiveMemoryOutput }
  /** Find memories by meaning, words and links. */
  searchMemories: { input: SearchMemoriesInput; output: SearchMemoriesOutput }
  /** Create a vault: a separate space for memories with a key of its own. */
  createVault: { input: CreateVaultInput; output: CreateVaultOutput }
  /** List the vaults that this key can read, with counts, the default vault first. */
  listVaults: { input: ListVaultsInput; output: ListVaultsOutput }
  /** Who this key is and what it may do. Needs no scope. */
  info: { input: InfoInput; output: InfoOutput }
}

export interface Route {
  method: 'GET' | 'POST'
  path: string
  /** Whether a second call does no more than the first: never, always, or where it carries an externalWriteId. */
  repeatable: 'never' | 'always' | 'withWriteId'
}

export const routes: Readonly<Record<keyof Operations, Route>> = {
  writeMemory: { method: 'POST', path: '/api/agent/write-memory', repeatable: 'withWriteId' },
  readMemories: { method: 'POST', path: '/api/agent/read-memories', repeatable: 'always' },
  updateMemory: { method: 'POST', path: '/api/agent/update-memory', repeatable: 'never' },
  archiveMemory: { method: 'POST', path: '/api/agent/archive-memory', repeatable: 'never' },
  searchMemories: { method: 'POST', path: '/api/agent/search-memories', repeatable: 'always' },
  createVault: { method: 'POST', path: '/api/agent/create-vault', repeatable: 'never' },
  listVaults: { method: 'POST', path: '/api/agent/list-vaults', repeatable: 'always' },
  info: { method: 'GET', path: '/api/agent/info', repeatable: 'always' },
}
