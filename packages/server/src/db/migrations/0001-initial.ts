import type { Migration } from '../migrate.ts'
import { sqliteStatistics } from './0001-statistics.ts'
import { describeSchema, type SchemaWords } from './table.ts'

/**
 * The schema of the first release. Comments in `db/tables` say what a column means; comments here say what an index is for.
 *
 * Most lists and counts are answered from an index alone, which therefore ends with columns that the list filters by. Some
 * of those are always null under the index's own condition: SQLite would read them from the rows if the index lacked them.
 * Indexes by creation time alone are for retention, which deletes the oldest rows.
 */
export const initial: Migration = {
  name: '0001-initial',
  statements: ({ columns, dialect }) => [
    ...groups().flatMap((describe) => describe(describeSchema(columns))),
    ...(dialect === 'sqlite' ? sqliteStatistics : []),
  ],
}

const groups = () => [service, people, agents, vaults, memories, notes, searchIndex, messages, sessions, imports, calls]

/** The instance, the servers that share it, and the jobs that one of them does for all. */
const service = ({ table }: SchemaWords) => [
  table('instance', {
    key: 'id',
    text: 'id rootKeyId formerRootKeyId?',
    long: 'createdAt rootKeySince?',
    bytes: 'rootKeyCheck wrappedInstanceKey',
  }),
  table('servers', { key: 'id', text: 'id name rootKeyIds', long: 'seenAt' }),
  table('jobLeases', { key: 'name', text: 'name holder', long: 'leaseUntil restUntil' }),
]

/** People, and what they sign in with. */
const people = ({ table, unique }: SchemaWords) => [
  table('users', {
    key: 'id',
    text: 'id passwordHash',
    long: 'createdAt',
    small: 'isOwner mekVersion',
    bytes: 'emailTag profile wrappedMek',
  }),
  unique('users_email', 'users', 'emailTag'),
  // If two set-ups run at once, one fails.
  unique('users_owner', 'users', 'isOwner', '"isOwner" = 1'),
  table('dashboardCredentials', {
    key: 'userId id',
    text: 'id userId kind',
    long: 'createdAt lastUsedAt expiresAt?',
    bytes: 'secretHash client?',
  }),
  unique('dashboardCredentials_secret', 'dashboardCredentials', 'secretHash'),
  table('secondFactors', {
    key: 'userId',
    text: 'userId id',
    long: 'createdAt confirmedAt? lastStep',
    bytes: 'secret',
  }),
  table('recoveryCodes', { key: 'userId codeHash', text: 'userId', long: 'createdAt', bytes: 'codeHash' }),
  table('passkeys', {
    key: 'userId id',
    text: 'userId id',
    long: 'counter createdAt lastUsedAt?',
    bytes: 'credentialTag credential name',
  }),
  unique('passkeys_credential', 'passkeys', 'credentialTag'),
  table('spentChallenges', { key: 'userId challengeHash', text: 'userId', long: 'expiresAt', bytes: 'challengeHash' }),
]

const agents = ({ table, unique }: SchemaWords) => [
  table('integrations', {
    key: 'userId id',
    text: 'id userId preset primaryVaultId?',
    long: 'createdAt updatedAt',
    small: 'restrictToVault isActive mekVersion version',
    bytes: 'profile wrappedMek?',
  }),
  table('vaultGrants', { key: 'userId integrationId vaultId', text: 'userId integrationId vaultId preset?' }),
  table('agentKeys', {
    key: 'userId id',
    text: 'id userId integrationId lastFour vaultId?',
    long: 'createdAt expiresAt? revokedAt? lastUsedAt?',
    bytes: 'keyHash label?',
  }),
  unique('agentKeys_hash', 'agentKeys', 'keyHash'),
]

/** Vaults with their keys, their documents and their measured sizes. */
const vaults = ({ table, unique }: SchemaWords) => [
  table('vaults', {
    key: 'userId id',
    text: 'id userId',
    long: 'seq createdAt updatedAt',
    small: 'isDefault settingsVersion version',
    // A call reads the settings together with the vault's keys.
    bytes: 'profile settings?',
  }),
  table('vaultKeys', {
    key: 'userId scopeId generation',
    text: 'userId scopeId',
    long: 'createdAt',
    small: 'generation mekVersion',
    bytes: 'wrappedKey',
  }),
  table('documents', {
    key: 'userId id',
    text: 'id userId vaultId documentType inheritMode',
    long: 'createdAt updatedAt',
    small: 'agentEditable appendOnly templateVersion version',
    bytes: 'body',
  }),
  unique('documents_type', 'documents', 'userId vaultId documentType'),
  table('documentVersions', {
    key: 'userId vaultId documentId version',
    text: 'userId vaultId documentId',
    long: 'createdAt',
    small: 'version',
    bytes: 'body',
  }),
  table('vaultSizes', { key: 'userId vaultId kind', text: 'userId vaultId kind', long: 'records bytes' }),
  table('vaultMeasures', { key: 'userId vaultId', text: 'userId vaultId', long: 'seq measuredAt' }),
]

/** Memories, what tasks add to them, and what was decided about them. */
const memories = ({ table, index, unique }: SchemaWords) => [
  table('memories', {
    key: 'userId id',
    text: 'id userId vaultId type taskStatus? supersedesId? supersededById? integrationId?',
    long: 'createdAt updatedAt occurredAt archivedAt? expiresAt? lastAccessedAt?',
    small: 'importance confidence contentRevision version accessCount',
    bytes: 'externalTag? assigneeTag? head body',
  }),
  unique('memories_external', 'memories', 'userId vaultId externalTag', '"externalTag" IS NOT NULL'),
  // One index for two queries (the newest of each type and importance, and the number of live memories), because each
  // further index makes a write 20 µs longer.
  index(
    'memories_ranked',
    'memories',
    'userId vaultId type importance occurredAt expiresAt archivedAt supersededById',
    '"archivedAt" IS NULL AND "supersededById" IS NULL',
  ),
  // What people list memories by.
  index(
    'memories_browse',
    'memories',
    'userId vaultId createdAt id type importance archivedAt supersededById expiresAt updatedAt lastAccessedAt',
  ),
  index(
    'memories_tasks',
    'memories',
    'userId vaultId type importance updatedAt id taskStatus archivedAt supersededById expiresAt assigneeTag',
    '"taskStatus" IS NOT NULL',
  ),
  // For the job that archives expired memories of all users.
  index(
    'memories_expiring',
    'memories',
    'expiresAt userId vaultId id archivedAt',
    '"archivedAt" IS NULL AND "expiresAt" IS NOT NULL',
  ),
  index('memories_archived', 'memories', 'userId vaultId archivedAt id', '"archivedAt" IS NOT NULL'),
  // Only the few that wait for review: most memories are believed.
  index('memories_unsure', 'memories', 'userId vaultId createdAt id', '"confidence" <= 2'),
  table('tasks', {
    key: 'userId id',
    text: 'id userId vaultId status',
    long: 'completedAt?',
    small: 'revision',
    bytes: 'assigneeTag? detail?',
  }),
  index('tasks_status', 'tasks', 'userId vaultId status id'),
  table('claimedWrites', { key: 'userId vaultId externalTag', text: 'id userId vaultId', bytes: 'externalTag' }),
  // Deleting a record also deletes the idempotency keys that return it.
  index('claimedWrites_record', 'claimedWrites', 'userId id'),
  table('reviewDecisions', {
    key: 'userId vaultId kind firstId secondId',
    text: 'userId vaultId kind firstId secondId',
    long: 'at',
  }),
]

const notes = ({ table, index, unique }: SchemaWords) => [
  table('notes', {
    key: 'userId id',
    text: 'id userId vaultId folderId?',
    long: 'trashedAt? createdAt updatedAt',
    small: 'wordCount contentRevision version',
    bytes: 'titleTag externalTag? head body',
  }),
  unique('notes_external', 'notes', 'userId vaultId externalTag', '"externalTag" IS NOT NULL'),
  // Pages of many folders are picked from these two without touching the rows of other folders.
  index('notes_newest', 'notes', 'userId vaultId id trashedAt folderId'),
  index('notes_updated', 'notes', 'userId vaultId updatedAt id trashedAt folderId'),
  // Count the live notes of vaults and folders, and find the oldest note of a title.
  index('notes_live', 'notes', 'userId vaultId folderId id trashedAt', '"trashedAt" IS NULL'),
  index('notes_title', 'notes', 'userId vaultId titleTag id trashedAt', '"trashedAt" IS NULL'),
  table('noteTags', { key: 'userId vaultId tag noteId', text: 'userId vaultId noteId', bytes: 'tag' }),
  index('noteTags_note', 'noteTags', 'userId noteId'),
  table('noteVersions', {
    key: 'userId noteId version',
    text: 'userId vaultId noteId',
    small: 'version',
    bytes: 'state',
  }),
  table('wikiTargets', { key: 'userId vaultId titleTag noteId', text: 'userId vaultId noteId', bytes: 'titleTag' }),
  index('wikiTargets_note', 'wikiTargets', 'userId noteId'),
  table('folders', {
    key: 'userId id',
    text: 'id userId vaultId parentId?',
    long: 'createdAt updatedAt',
    small: 'version',
    bytes: 'nameTag name',
  }),
  unique('folders_name', 'folders', 'userId vaultId nameTag'),
  index('folders_parent', 'folders', 'userId vaultId parentId id'),
]

/** What each vault's index in memory is built from. */
const searchIndex = ({ table, index, unique }: SchemaWords) => [
  table('links', {
    key: 'userId id',
    text: 'id userId vaultId sourceType sourceId targetType targetId relationType origin',
    long: 'seq createdAt removedAt?',
    bytes: 'externalTag? label?',
  }),
  unique('links_triple', 'links', 'userId vaultId sourceId targetId relationType'),
  unique('links_external', 'links', 'userId vaultId externalTag', '"externalTag" IS NOT NULL'),
  index('links_changes', 'links', 'userId vaultId seq'),
  // All that a page and its total need, in the page's order: a node may have 100,000 links.
  index('links_by_source', 'links', 'userId vaultId sourceId id relationType removedAt', '"removedAt" IS NULL'),
  index('links_by_target', 'links', 'userId vaultId targetId id relationType removedAt', '"removedAt" IS NULL'),
  table('indexEntries', {
    key: 'userId itemId',
    text: 'itemId userId vaultId kind type vectorModel?',
    long: 'seq createdAt occurredAt expiresAt? supersededAt?',
    small: 'importance archived vectorsMissing revision',
    bytes: 'entry',
  }),
  index('indexEntries_changes', 'indexEntries', 'userId vaultId seq'),
  index('indexEntries_noVectors', 'indexEntries', 'userId vaultId itemId', '"vectorsMissing" = 1'),
  table('indexRemovals', { key: 'userId vaultId seq itemId', text: 'itemId userId vaultId', long: 'seq' }),
  table('indexSnapshots', {
    key: 'userId vaultId seq segment',
    text: 'userId vaultId',
    long: 'seq',
    small: 'segment segments',
    bytes: 'cell',
  }),
]

/** Messages, and the webhooks that announce them. */
const messages = ({ table, index, unique }: SchemaWords) => [
  table('messages', {
    key: 'userId id',
    text: 'id userId vaultId fromAgentId senderType targetId targetType category template? parentMessageId? threadId',
    long: 'expiresAt createdAt',
    small: 'priority',
    bytes: 'externalTag? body',
  }),
  unique('messages_external', 'messages', 'userId vaultId externalTag', '"externalTag" IS NOT NULL'),
  // Messages that haven't expired are at the end: an inbox is read without the expired ones.
  index('messages_inbox', 'messages', 'userId targetId expiresAt'),
  index('messages_sent', 'messages', 'userId fromAgentId expiresAt'),
  index('messages_age', 'messages', 'userId vaultId createdAt'),
  table('messageAcks', {
    key: 'userId vaultId messageId recipientType recipientId',
    text: 'userId vaultId messageId recipientType recipientId',
    long: 'acknowledgedAt',
    bytes: 'note?',
  }),
  table('webhooks', {
    key: 'userId id',
    text: 'id userId vaultId? events categories? targetId?',
    long: 'lastDeliveryAt? windowStartedAt heldUntil? createdAt updatedAt',
    small: 'minPriority? isActive errorCount windowAttempts windowFailures version',
    bytes: 'endpoint lastError?',
  }),
  // The worker asks for subscriptions before it knows whose they are.
  unique('webhooks_id', 'webhooks', 'id'),
  table('webhookDeliveries', {
    key: 'userId id',
    text: 'id userId webhookId eventId vaultId? event messageId body state leaseOwner?',
    long: 'dueAt lastAttemptAt? createdAt changedAt',
    small: 'attempt fence lastStatus?',
    bytes: 'attempts?',
  }),
  index('webhookDeliveries_due', 'webhookDeliveries', 'userId webhookId dueAt', `"state" = 'pending'`),
  index('webhookDeliveries_waiting', 'webhookDeliveries', 'webhookId dueAt', `"state" = 'pending'`),
  index('webhookDeliveries_list', 'webhookDeliveries', 'userId webhookId id'),
  index('webhookDeliveries_dead', 'webhookDeliveries', 'userId webhookId id', `"state" = 'dead'`),
  index('webhookDeliveries_vault', 'webhookDeliveries', 'userId vaultId'),
  index('webhookDeliveries_age', 'webhookDeliveries', 'changedAt'),
]

/** How far each agent knows a vault, what it saved, its runs, and turns of conversations with the queue of the language model. */
const sessions = ({ table, index, unique }: SchemaWords) => [
  table('sessionMarks', {
    key: 'userId vaultId agentTag',
    text: 'userId vaultId summaryMemoryId?',
    long: 'at seq sinceAt? sinceSeq? summaryAt?',
    bytes: 'agentTag runTag?',
  }),
  index('sessionMarks_summaries', 'sessionMarks', 'userId vaultId summaryAt'),
  table('checkpoints', { key: 'userId vaultId tag', text: 'userId vaultId', long: 'createdAt', bytes: 'tag answer' }),
  index('checkpoints_age', 'checkpoints', 'userId vaultId createdAt'),
  table('runs', {
    key: 'userId id',
    text: 'id userId vaultId integrationId?',
    long: 'startedAt lastSeenAt endedAt? checkpointAt?',
    small: 'headRevision toolCalls reads writes failures',
    bytes: 'runTag agentTag head',
  }),
  unique('runs_tag', 'runs', 'userId vaultId runTag'),
  // Which agents were active recently.
  index('runs_seen', 'runs', 'userId vaultId lastSeenAt'),
  table('agentSightings', {
    key: 'userId vaultId agentTag',
    text: 'userId vaultId integrationId',
    long: 'startedAt lastSeenAt',
    small: 'headRevision calls',
    bytes: 'agentTag head',
  }),
  table('runCalls', {
    key: 'userId vaultId runId id',
    text: 'id userId vaultId runId',
    long: 'createdAt',
    small: 'calls',
    bytes: 'body',
  }),
  index('runCalls_created', 'runCalls', 'createdAt'),
  table('turns', {
    key: 'userId id',
    text: 'id userId vaultId integrationId? status',
    long: 'occurredAt createdAt',
    small: 'score',
    bytes: 'runTag? body',
  }),
  index('turns_created', 'turns', 'userId vaultId createdAt'),
  index('turns_run', 'turns', 'userId vaultId runTag occurredAt id', '"runTag" IS NOT NULL'),
  table('extractionJobs', {
    key: 'userId vaultId turnId',
    text: 'userId vaultId turnId',
    long: 'dueAt',
    small: 'attempt',
  }),
  index('extractionJobs_due', 'extractionJobs', 'dueAt'),
]

const imports = ({ table, index }: SchemaWords) => [
  table('imports', {
    key: 'userId vaultId importId',
    text: 'userId vaultId importId',
    long: 'startedAt lastAt revertedAt?',
    bytes: 'origin?',
  }),
  table('importedRecords', {
    key: 'userId vaultId importId kind recordId',
    text: 'userId vaultId importId recordId kind',
    small: 'version',
  }),
  // Permanently deleting a record also deletes the entry that says which import created it.
  index('importedRecords_record', 'importedRecords', 'userId vaultId recordId'),
  table('revertedRecords', { key: 'userId vaultId recordId', text: 'userId vaultId recordId', small: 'version' }),
]

/** What was called: activity, quotas, rate limits and counts by day. */
const calls = ({ table, index }: SchemaWords) => [
  table('activity', {
    key: 'userId id',
    text: 'userId id vaultId? actor integrationId? credentialId? operation class recordId? recordKind?',
    long: 'at',
    small: 'records calls status',
    bytes: 'address?',
  }),
  index('activity_record', 'activity', 'userId recordId id'),
  // Sign-ins and settings are few among all entries, and what people look for.
  index('activity_class', 'activity', 'userId class id'),
  // All columns that the page filters by: counting the refused calls among 500,000 entries takes 0.1 s.
  index('activity_look', 'activity', 'userId id at class actor integrationId operation status'),
  table('usage', { key: 'userId month kind', text: 'userId month kind', long: 'units' }),
  table('rateCounts', { key: 'userId requestClass server', text: 'userId requestClass server counts', long: 'at' }),
  table('callCounts', {
    key: 'userId day integrationId operation measure',
    text: 'userId day integrationId operation measure',
    long: 'tokens',
    small: `calls errors refused ${histogramSlots}`,
  }),
]

const histogramSlots = Array.from({ length: 32 }, (_, slot) => `s${`${slot}`.padStart(2, '0')}`).join(' ')
