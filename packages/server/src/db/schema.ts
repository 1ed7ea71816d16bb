import type { InstanceTable, ServersTable, JobLeasesTable } from './tables/service.ts'
import type {
  UsersTable,
  DashboardCredentialsTable,
  SecondFactorsTable,
  RecoveryCodesTable,
  PasskeysTable,
  SpentChallengesTable,
  LogInFailuresTable,
} from './tables/people.ts'
import type {
  IntegrationsTable,
  VaultGrantsTable,
  AgentKeysTable,
  OauthClientsTable,
  OauthGrantsTable,
} from './tables/agents.ts'
import type {
  VaultsTable,
  VaultKeysTable,
  VaultMembersTable,
  VaultDigestsTable,
  VaultInvitationsTable,
  DocumentsTable,
  DocumentVersionsTable,
  VaultSizesTable,
  VaultMeasuresTable,
} from './tables/vaults.ts'
import type {
  MemoriesTable,
  MemoryReadsTable,
  MemoryVersionsTable,
  TasksTable,
  ClaimedWritesTable,
  ReviewDecisionsTable,
  ProposalsTable,
} from './tables/memories.ts'
import type { NotesTable, NoteTagsTable, NoteVersionsTable, WikiTargetsTable, FoldersTable } from './tables/notes.ts'
import type { LinksTable, IndexEntriesTable, IndexRemovalsTable, IndexSnapshotsTable } from './tables/vault-index.ts'
import type { MessagesTable, MessageAcksTable } from './tables/messages.ts'
import type { WebhooksTable, WebhookDeliveriesTable } from './tables/webhooks.ts'
import type {
  SessionMarksTable,
  CheckpointsTable,
  RunsTable,
  AgentSightingsTable,
  RunCallsTable,
  TurnsTable,
  ExtractionJobsTable,
} from './tables/sessions.ts'
import type { ImportsTable, ImportedRecordsTable, RevertedRecordsTable } from './tables/imports.ts'
import type { ActivityTable, UsageTable, RateCountsTable, CallCountsTable } from './tables/calls.ts'

/**
 * Rows as they are on disk, the same in SQLite and PostgreSQL: ids are text (in the activity log 16 bytes), times are milliseconds since
 * 1970, flags are 0 or 1, and everything that people or agents wrote is `Sealed`, a branded type, so a plain string doesn't compile. `*Tag`
 * columns are 128-bit keyed tags for equality look-ups. The first column of every key is the owner.
 */
export interface Tables {
  instance: InstanceTable
  servers: ServersTable
  jobLeases: JobLeasesTable
  users: UsersTable
  dashboardCredentials: DashboardCredentialsTable
  secondFactors: SecondFactorsTable
  recoveryCodes: RecoveryCodesTable
  passkeys: PasskeysTable
  spentChallenges: SpentChallengesTable
  logInFailures: LogInFailuresTable
  integrations: IntegrationsTable
  vaultGrants: VaultGrantsTable
  agentKeys: AgentKeysTable
  oauthClients: OauthClientsTable
  oauthGrants: OauthGrantsTable
  vaults: VaultsTable
  vaultKeys: VaultKeysTable
  vaultMembers: VaultMembersTable
  vaultInvitations: VaultInvitationsTable
  documents: DocumentsTable
  documentVersions: DocumentVersionsTable
  vaultDigests: VaultDigestsTable
  vaultSizes: VaultSizesTable
  vaultMeasures: VaultMeasuresTable
  memories: MemoriesTable
  memoryReads: MemoryReadsTable
  memoryVersions: MemoryVersionsTable
  tasks: TasksTable
  claimedWrites: ClaimedWritesTable
  reviewDecisions: ReviewDecisionsTable
  proposals: ProposalsTable
  notes: NotesTable
  noteTags: NoteTagsTable
  noteVersions: NoteVersionsTable
  wikiTargets: WikiTargetsTable
  folders: FoldersTable
  links: LinksTable
  indexEntries: IndexEntriesTable
  indexRemovals: IndexRemovalsTable
  indexSnapshots: IndexSnapshotsTable
  messages: MessagesTable
  messageAcks: MessageAcksTable
  webhooks: WebhooksTable
  webhookDeliveries: WebhookDeliveriesTable
  sessionMarks: SessionMarksTable
  checkpoints: CheckpointsTable
  runs: RunsTable
  agentSightings: AgentSightingsTable
  runCalls: RunCallsTable
  turns: TurnsTable
  extractionJobs: ExtractionJobsTable
  imports: ImportsTable
  importedRecords: ImportedRecordsTable
  revertedRecords: RevertedRecordsTable
  activity: ActivityTable
  usage: UsageTable
  rateCounts: RateCountsTable
  callCounts: CallCountsTable
}
