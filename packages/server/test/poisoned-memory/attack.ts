// What an attack is. A hostile agent with a valid key tries to make another agent believe something, or to get at what isn't its own.

export type Body = Record<string, unknown>

/** The outcomes of an attack that failed. */
export type Outcome =
  /** The server refused the last call, and nothing of the attack is seen. */
  | 'rejected'
  /** The text is seen as data, under the name of the hostile agent wherever it is seen. */
  | 'shown as its own words'
  /** The text is seen inside the marks on a line of its field. Fields such as names of folders have no author. */
  | 'shown as data'
  /** The calls were accepted, and nothing of the attack is seen. */
  | 'not shown'
  /** What the person wrote is unchanged, or kept as a former text next to the marked change. */
  | "the person's text is kept"

export type View =
  | 'context'
  | 'search'
  | 'messages'
  | 'tasks'
  | 'notes'
  | 'agents'
  | 'folders'
  | 'vaults'
  | 'checks'
  | 'links'

export const families = [
  'forged authority',
  'fences',
  'look-alike names',
  'claims in fields',
  'changes of what the person wrote',
  'flooding',
  'other agents',
  'other vaults and people',
] as const

export interface Attack {
  family: (typeof families)[number]
  /** Completes "a hostile agent …". */
  attack: string
  /** Makes the calls. */
  run(scene: Scene): Promise<unknown>
  /** Outcomes that count as failed. */
  ends: readonly Outcome[]
  /** Where a reader would see it. Default: context and search. */
  seenIn?: readonly View[]
  /** Default: all. */
  only?: 'MCP' | 'REST'
  /** More calls than a short test should make. */
  isLong?: true
}

/** What an attack finds: a vault of its own, with another agent who reads it. */
export interface Scene {
  /** A word that is in no other attack. */
  mark: string
  vaultId: string
  /** Calls an operation as the hostile agent, which the person allows to change everything. */
  call(operation: string, body?: Body): Promise<CallResult>
  /** The same if it has to ask before it changes what the person wrote, which is the default. */
  callAsking(operation: string, body?: Body): Promise<CallResult>
  /** The same with a key that may use one other vault only. */
  callConfined(operation: string, body?: Body): Promise<CallResult>
  /** Calls an operation as the person, in this vault. It must succeed. */
  person(operation: string, body?: Body): Promise<Body>
  /** The same as the agent who reads. */
  reader(operation: string, body?: Body): Promise<Body>
  /** The same as a pinned agent of the same person, named "worker". */
  worker(operation: string, body?: Body): Promise<Body>
  /** The same as the agent of another person, in that person's vault. */
  stranger(operation: string, body?: Body): Promise<Body>
  strangersVaultId: string
  /** A text of the person that has to survive. */
  protect(kind: 'memory' | 'note' | 'document', id: string, text: string): void
  /** A check of its own at the end: what is wrong, if anything. */
  verify(check: () => Promise<string | undefined>): void
}

export interface CallResult {
  isRefused: boolean
  /** Of a REST answer. */
  body: Body
  text: string
}
