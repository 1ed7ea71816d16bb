import { createUser } from '../accounts/create-user.ts'
import { getSetup } from '../accounts/get-setup.ts'
import { listUsers } from '../accounts/list-users.ts'
import { login } from '../accounts/login.ts'
import { logout } from '../accounts/logout.ts'
import { operatorSetup } from '../accounts/operator-setup.ts'
import { session } from '../accounts/session.ts'
import { setup } from '../accounts/setup.ts'
import { status } from '../accounts/status.ts'
import { system } from '../accounts/system.ts'
import { addLink } from '../graph/add-link.ts'
import { exploreGraph } from '../graph/explore-graph.ts'
import { getLinks } from '../graph/get-links.ts'
import { getRelatedMemories } from '../graph/get-related-memories.ts'
import { readBacklinks } from '../graph/read-backlinks.ts'
import { linkNodes } from '../graph/link-nodes.ts'
import { readGraph } from '../graph/read-graph.ts'
import { unlinkNodes } from '../graph/unlink-nodes.ts'
import { removeLink } from '../graph/remove-link.ts'
import { connect } from '../integrations/connect.ts'
import { createIntegration } from '../integrations/create-integration.ts'
import { createKey } from '../integrations/create-key.ts'
import { deleteIntegration } from '../integrations/delete-integration.ts'
import { info } from '../integrations/info.ts'
import { listIntegrations } from '../integrations/list-integrations.ts'
import { listKeys } from '../integrations/list-keys.ts'
import { revokeKey } from '../integrations/revoke-key.ts'
import { updateIntegration } from '../integrations/update-integration.ts'
import { browseDocuments } from '../documents/browse-documents.ts'
import { editDocument } from '../documents/edit-document.ts'
import { readDocumentVersions } from '../documents/read-document-versions.ts'
import { readDocument } from '../documents/read-document.ts'
import { updateDocument } from '../documents/update-document.ts'
import type { Operation } from '../operation/operation.ts'
import { usage } from '../limits/usage.ts'
import { browseMemories } from '../dashboard/browse-memories.ts'
import { explainSearch } from '../dashboard/explain-search.ts'
import { previewContext } from '../dashboard/preview-context.ts'
import { readOverview } from '../dashboard/read-overview.ts'
import { addMemory } from '../memories/add-memory.ts'
import { archiveMemories } from '../memories/archive-memories.ts'
import { archiveMemory } from '../memories/archive-memory.ts'
import { cleanupMemories } from '../memories/cleanup-memories.ts'
import { countMemories } from '../memories/count-memories.ts'
import { editMemory } from '../memories/edit-memory.ts'
import { eraseMemory } from '../memories/erase-memory.ts'
import { rateMemories } from '../memories/rate-memories.ts'
import { readMemoryHistory } from '../memories/read-memory-history.ts'
import { restoreMemories } from '../memories/restore-memories.ts'
import { readMemories } from '../memories/read-memories.ts'
import { updateMemory } from '../memories/update-memory.ts'
import { writeMemory } from '../memories/write-memory.ts'
import { acknowledgeMessages } from '../messages/acknowledge-messages.ts'
import { ackMessage } from '../messages/ack-message.ts'
import { browseMessages } from '../messages/browse-messages.ts'
import { pendingMessages } from '../messages/pending-messages.ts'
import { postMessage } from '../messages/post-message.ts'
import { readMessages } from '../messages/read-messages.ts'
import { sendMessage } from '../messages/send-message.ts'
import { addFolder } from '../notes/add-folder.ts'
import { addNote } from '../notes/add-note.ts'
import { browseFolders } from '../notes/browse-folders.ts'
import { browseNotes } from '../notes/browse-notes.ts'
import { createFolder } from '../notes/create-folder.ts'
import { createNote } from '../notes/create-note.ts'
import { deleteNote } from '../notes/delete-note.ts'
import { discardNote } from '../notes/discard-note.ts'
import { editNote } from '../notes/edit-note.ts'
import { listFolders } from '../notes/list-folders.ts'
import { listNotes } from '../notes/list-notes.ts'
import { moveNote } from '../notes/move-note.ts'
import { readNoteVersions } from '../notes/read-note-versions.ts'
import { readNote } from '../notes/read-note.ts'
import { readNotes } from '../notes/read-notes.ts'
import { recoverNote } from '../notes/recover-note.ts'
import { relocateNote } from '../notes/relocate-note.ts'
import { suggestNotes } from '../notes/suggest-notes.ts'
import { updateNote } from '../notes/update-note.ts'
import { searchAndRead } from '../search/search-and-read.ts'
import { searchMemories } from '../search/search-memories.ts'
import { searchNotes } from '../search/search-notes.ts'
import { semanticSearch } from '../search/semantic-search.ts'
import { addTask } from '../tasks/add-task.ts'
import { archiveTask } from '../tasks/archive-task.ts'
import { browseTasks } from '../tasks/browse-tasks.ts'
import { createTask } from '../tasks/create-task.ts'
import { editTask } from '../tasks/edit-task.ts'
import { listTasks } from '../tasks/list-tasks.ts'
import { updateTask } from '../tasks/update-task.ts'
import { browseAgents } from '../sessions/browse-agents.ts'
import { browseRuns } from '../sessions/browse-runs.ts'
import { contextCheckpoint } from '../sessions/context-checkpoint.ts'
import { sessionStart } from '../sessions/session-start.ts'
import { ingestTurn } from '../sessions/ingest-turn.ts'
import { listActiveAgents } from '../sessions/list-active-agents.ts'
import { sessionTrack } from '../sessions/session-track.ts'
import { exportRecords } from '../transfer/export-records.ts'
import { importRecords } from '../transfer/import-records.ts'
import { revertImport } from '../transfer/revert-import.ts'
import { addVault } from '../vaults/add-vault.ts'
import { browseVaults } from '../vaults/browse-vaults.ts'
import { createVault } from '../vaults/create-vault.ts'
import { deleteVault } from '../vaults/delete-vault.ts'
import { getSettings } from '../vaults/get-settings.ts'
import { listVaults } from '../vaults/list-vaults.ts'
import { updateSettings } from '../vaults/update-settings.ts'
import { updateVault } from '../vaults/update-vault.ts'
import { createWebhook } from '../webhooks/create-webhook.ts'
import { deleteWebhook } from '../webhooks/delete-webhook.ts'
import { listWebhookDeliveries } from '../webhooks/list-webhook-deliveries.ts'
import { listWebhooks } from '../webhooks/list-webhooks.ts'
import { redeliverWebhook } from '../webhooks/redeliver-webhook.ts'
import { rotateWebhookSecret } from '../webhooks/rotate-webhook-secret.ts'
import { testWebhook } from '../webhooks/test-webhook.ts'
import { updateWebhook } from '../webhooks/update-webhook.ts'

/** Every operation, in the order of the reference. Reading it loads no database driver and has no side effects. */
export const registry: readonly Operation[] = [
  sessionStart,
  contextCheckpoint,
  writeMemory,
  readMemories,
  updateMemory,
  archiveMemory,
  cleanupMemories,
  getRelatedMemories,
  searchMemories,
  createTask,
  updateTask,
  listTasks,
  createNote,
  readNote,
  readNotes,
  updateNote,
  deleteNote,
  moveNote,
  listNotes,
  searchNotes,
  semanticSearch,
  searchAndRead,
  createFolder,
  listFolders,
  addLink,
  removeLink,
  getLinks,
  exploreGraph,
  sendMessage,
  readMessages,
  pendingMessages,
  ackMessage,
  ingestTurn,
  sessionTrack,
  listActiveAgents,
  readDocument,
  updateDocument,
  getSettings,
  updateSettings,
  createVault,
  listVaults,
  info,

  session,
  logout,
  listIntegrations,
  createIntegration,
  updateIntegration,
  deleteIntegration,
  listKeys,
  createKey,
  revokeKey,
  connect,
  browseVaults,
  addVault,
  updateVault,
  deleteVault,
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
  usage,
  system,

  browseTasks,
  addTask,
  editTask,
  archiveTask,
  browseNotes,
  addNote,
  editNote,
  discardNote,
  recoverNote,
  relocateNote,
  suggestNotes,
  readBacklinks,
  readNoteVersions,
  browseFolders,
  addFolder,
  browseMessages,
  postMessage,
  acknowledgeMessages,
  browseDocuments,
  editDocument,
  readDocumentVersions,
  readGraph,
  linkNodes,
  unlinkNodes,
  browseRuns,
  browseAgents,

  browseMemories,
  addMemory,
  editMemory,
  eraseMemory,
  archiveMemories,
  restoreMemories,
  rateMemories,
  countMemories,
  readMemoryHistory,
  readOverview,
  explainSearch,
  previewContext,

  operatorSetup,
  listUsers,
  createUser,
  status,

  getSetup,
  setup,
  login,
]
