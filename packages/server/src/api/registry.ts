import { createPasskey, beginPasskey } from '../sign-in/create-passkey.ts'
import { updateSignIn } from '../sign-in/update-sign-in.ts'
import { checkSystem } from '../machine/check-system.ts'
import { confirmTotp, setUpTotp } from '../sign-in/set-up-totp.ts'
import { readEncryptionKeys, rotateEncryptionKeys } from '../rotation/rotate-keys.ts'
import { createToken } from '../sign-in/create-token.ts'
import { endSessions, logOut } from '../accounts/end-sessions.ts'
import { listPasskeys, deletePasskey, updatePasskey } from '../sign-in/passkeys.ts'
import { listSessions } from '../accounts/list-sessions.ts'
import { getPasskeyChallenge, logInWithPasskey } from '../sign-in/log-in-with-passkey.ts'
import { readTotp } from '../sign-in/read-totp.ts'
import { deleteTotp, renewRecoveryCodes } from '../sign-in/delete-totp.ts'
import { resetSignIn } from '../sign-in/reset-sign-in.ts'
import { updateUser } from '../accounts/update-user.ts'
import { createUser } from '../machine/create-user.ts'
import { checkStoredData } from '../integrity/check-stored-data.ts'
import { getSetup, setUp } from '../machine/set-up.ts'
import { listUsers } from '../accounts/list-users.ts'
import { logIn } from '../sign-in/log-in.ts'
import { readSession } from '../accounts/read-session.ts'
import { listActivity } from '../activity/list-activity.ts'
import { readStatus } from '../machine/read-status.ts'
import { readSystem } from '../machine/read-system.ts'
import { createBackup } from '../backups/create-backup.ts'
import { deleteBackup } from '../backups/delete-backup.ts'
import { listBackups } from '../backups/list-backups.ts'
import { verifyBackup } from '../backups/verify-backup.ts'
import { findLinksAmong } from '../graph/find-links-among.ts'
import { findPath } from '../graph/find-path.ts'
import { readBacklinks } from '../graph/read-backlinks.ts'
import { readEntity } from '../graph/read-entity.ts'
import { readGraph } from '../graph/read-graph.ts'
import { connect } from '../integrations/connect.ts'
import { createIntegration } from '../integrations/create-integration.ts'
import { createKey } from '../integrations/create-key.ts'
import { deleteIntegration } from '../integrations/delete-integration.ts'
import { listIntegrations } from '../integrations/list-integrations.ts'
import { listKeys } from '../integrations/list-keys.ts'
import { revokeKey } from '../integrations/revoke-key.ts'
import { updateIntegration } from '../integrations/update-integration.ts'
import { listDefaultDocuments } from '../documents/list-default-documents.ts'
import { listDocuments } from '../documents/list-documents.ts'
import { readDefaultDocumentVersions, readDocumentVersions } from '../documents/read-document-versions.ts'
import { updateDefaultDocument } from '../documents/update-default-document.ts'
import { updateDocumentRules } from '../documents/update-document-rules.ts'
import { routesOf, type Operation, type Route } from '../operation/operation.ts'
import { readUsage } from '../usage/read-usage.ts'
import { previewContext } from '../sessions/preview-context.ts'
import { readOverview } from '../dashboard/read-overview.ts'
import { readTrash } from '../dashboard/read-trash.ts'
import { archiveMemories } from '../memories/archive-memory.ts'
import { countMemories } from '../memories/count-memories.ts'
import { mergeMemories } from '../memories/merge-memories.ts'
import { eraseMemory } from '../turns/erase-memory.ts'
import { readMemoryHistory } from '../memories/read-memory-history.ts'
import { updateMemories } from '../memories/update-memories.ts'
import { listThreads } from '../messages/list-threads.ts'
import { eraseMessage } from '../messages/erase-message.ts'
import { updateFolder } from '../notes/update-folder.ts'
import { eraseNote } from '../notes/erase-note.ts'
import { linkMentions } from '../notes/link-mentions.ts'
import { readMentions } from '../notes/read-mentions.ts'
import { readNoteVersions } from '../notes/read-note-versions.ts'
import { restoreNote } from '../notes/restore-note.ts'
import { deleteFolder } from '../notes/delete-folder.ts'
import { suggestNotes } from '../notes/suggest-notes.ts'
import { suggestTags } from '../notes/suggest-tags.ts'
import { countTasks } from '../tasks/count-tasks.ts'
import { listRunCalls } from '../runs/list-run-calls.ts'
import { eraseTurn } from '../turns/erase-turn.ts'
import { listRunTurns } from '../turns/list-run-turns.ts'
import { listRuns } from '../runs/list-runs.ts'
import { revertRun } from '../runs/revert-run.ts'
import { listMemories } from '../search/list-memories.ts'
import { previewSearch } from '../search/preview-search.ts'
import { askVault } from '../ask/ask-vault.ts'
import { exportRecords } from '../transfer/export-records.ts'
import { importRecords } from '../transfer/import-records.ts'
import { moveMemories } from '../transfer/move-memories.ts'
import { revertImport } from '../transfer/revert-import.ts'
import { listImports } from '../transfer/list-imports.ts'
import { listReview } from '../review/list-review.ts'
import { decideReview } from '../review/decide-review.ts'
import { trustIntegration } from '../review/trust-integration.ts'
import { deleteUser } from '../machine/delete-user.ts'
import { decideInvitation } from '../vaults/decide-invitation.ts'
import { deleteVaultMember } from '../vaults/delete-vault-member.ts'
import { deleteVault } from '../vaults/delete-vault.ts'
import { listVaultMembers } from '../vaults/list-vault-members.ts'
import { shareVault } from '../vaults/share-vault.ts'
import { updateVault } from '../vaults/update-vault.ts'
import { createWebhook } from '../webhooks/create-webhook.ts'
import { deleteWebhook } from '../webhooks/delete-webhook.ts'
import { listWebhookDeliveries } from '../webhooks/list-webhook-deliveries.ts'
import { listWebhooks } from '../webhooks/list-webhooks.ts'
import { redeliverWebhook } from '../webhooks/redeliver-webhook.ts'
import { rotateWebhookSecret } from '../webhooks/rotate-webhook-secret.ts'
import { testWebhook } from '../webhooks/test-webhook.ts'
import { updateWebhook } from '../webhooks/update-webhook.ts'
import { agentOperations } from './agent-operations.ts'

/** Every operation, in the order of the reference. Reading it loads no database driver and has no side effects. */
export const operations: readonly Operation[] = [
  ...agentOperations,

  readSession,
  logOut,
  updateUser,
  listUsers,
  deleteUser,
  updateSignIn,
  listSessions,
  endSessions,
  createToken,
  readTotp,
  setUpTotp,
  confirmTotp,
  deleteTotp,
  renewRecoveryCodes,
  listPasskeys,
  beginPasskey,
  createPasskey,
  updatePasskey,
  deletePasskey,
  listIntegrations,
  createIntegration,
  updateIntegration,
  deleteIntegration,
  listKeys,
  createKey,
  revokeKey,
  connect,
  updateVault,
  deleteVault,
  listVaultMembers,
  shareVault,
  deleteVaultMember,
  decideInvitation,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  redeliverWebhook,
  listWebhookDeliveries,
  importRecords,
  revertImport,
  exportRecords,
  readUsage,
  readSystem,
  checkSystem,
  listBackups,
  createBackup,
  verifyBackup,
  deleteBackup,
  readEncryptionKeys,
  rotateEncryptionKeys,

  countTasks,
  restoreNote,
  eraseNote,
  suggestNotes,
  suggestTags,
  readBacklinks,
  readMentions,
  linkMentions,
  readNoteVersions,
  updateFolder,
  deleteFolder,
  listThreads,
  eraseMessage,
  listDocuments,
  updateDocumentRules,
  readDocumentVersions,
  listDefaultDocuments,
  updateDefaultDocument,
  readDefaultDocumentVersions,
  readGraph,
  readEntity,
  findPath,
  findLinksAmong,
  listRuns,
  listRunCalls,
  listRunTurns,
  eraseTurn,
  revertRun,

  listMemories,
  eraseMemory,
  archiveMemories,
  updateMemories,
  countMemories,
  readMemoryHistory,
  mergeMemories,
  moveMemories,
  listReview,
  decideReview,
  trustIntegration,
  listImports,
  readOverview,
  readTrash,
  previewSearch,
  askVault,
  previewContext,

  listActivity,

  createUser,
  checkStoredData,
  resetSignIn,
  readStatus,

  getSetup,
  setUp,
  logIn,
  getPasskeyChallenge,
  logInWithPasskey,
]

/** Every way to call them. An operation for agents and people has two. */
export const routes: readonly Route[] = operations.flatMap(routesOf)
