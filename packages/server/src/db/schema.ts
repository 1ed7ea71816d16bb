import type {
  AgentKeysTable,
  DashboardCredentialsTable,
  InstanceTable,
  IntegrationsTable,
  PasskeysTable,
  RecoveryCodesTable,
  SecondFactorsTable,
  ServersTable,
  SpentChallengesTable,
  UsersTable,
  VaultGrantsTable,
} from './tables/accounts.ts'
import type { ActivityTable } from './tables/activity.ts'
import type { DocumentsTable, DocumentVersionsTable } from './tables/documents.ts'
import type { JobLeasesTable } from './tables/jobs.ts'
import type {
  CallCountsTable,
  RateCountsTable,
  UsageTable,
  VaultMeasuresTable,
  VaultSizesTable,
} from './tables/limits.ts'
import type { LinksTable, MemoriesTable } from './tables/memories.ts'
import type { MessageAcksTable, MessagesTable } from './tables/messages.ts'
import type { CheckpointsTable, SessionMarksTable } from './tables/session-marks.ts'
import type { ReviewDecisionsTable } from './tables/review.ts'
import type { ImportedRecordsTable, ImportsTable, RevertedRecordsTable } from './tables/transfer.ts'
import type { FoldersTable, NoteTagsTable, NotesTable, NoteVersionsTable, WikiTargetsTable } from './tables/notes.ts'
import type { ExtractionJobsTable, RunCallsTable, RunsTable, TurnsTable } from './tables/sessions.ts'
import type { ClaimedWritesTable, TasksTable } from './tables/tasks.ts'
import type { IndexEntriesTable, IndexRemovalsTable, IndexSnapshotsTable } from './tables/vault-index.ts'
import type { VaultKeysTable, VaultsTable } from './tables/vaults.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from './tables/webhooks.ts'

/**
 * Rows as they lie on disk, alike in SQLite and PostgreSQL: ids are text, times are milliseconds since 1970, flags are
 * 0 or 1, and everything that people or agents wrote is `Sealed`, a branded type, so that a plain string does not
 * compile. `*Tag` columns are 128-bit keyed tags for equality look-ups. Every table is keyed by its owner first.
 */
export interface Tables {
  instance: InstanceTable
  servers: ServersTable
  users: UsersTable
  dashboardCredentials: DashboardCredentialsTable
  secondFactors: SecondFactorsTable
  recoveryCodes: RecoveryCodesTable
  passkeys: PasskeysTable
  spentChallenges: SpentChallengesTable
  integrations: IntegrationsTable
  vaultGrants: VaultGrantsTable
  agentKeys: AgentKeysTable
  vaults: VaultsTable
  vaultKeys: VaultKeysTable
  memories: MemoriesTable
  tasks: TasksTable
  claimedWrites: ClaimedWritesTable
  notes: NotesTable
  noteTags: NoteTagsTable
  noteVersions: NoteVersionsTable
  wikiTargets: WikiTargetsTable
  folders: FoldersTable
  links: LinksTable
  indexEntries: IndexEntriesTable
  indexSnapshots: IndexSnapshotsTable
  indexRemovals: IndexRemovalsTable
  jobLeases: JobLeasesTable
  messages: MessagesTable
  messageAcks: MessageAcksTable
  sessionMarks: SessionMarksTable
  checkpoints: CheckpointsTable
  webhooks: WebhooksTable
  webhookDeliveries: WebhookDeliveriesTable
  documents: DocumentsTable
  documentVersions: DocumentVersionsTable
  runs: RunsTable
  runCalls: RunCallsTable
  turns: TurnsTable
  extractionJobs: ExtractionJobsTable
  usage: UsageTable
  rateCounts: RateCountsTable
  callCounts: CallCountsTable
  vaultSizes: VaultSizesTable
  vaultMeasures: VaultMeasuresTable
  importedRecords: ImportedRecordsTable
  revertedRecords: RevertedRecordsTable
  imports: ImportsTable
  reviewDecisions: ReviewDecisionsTable
  activity: ActivityTable
}
