import { readDocument } from '../documents/read-document.ts'
import { updateDocument } from '../documents/update-document.ts'
import { addLink } from '../graph/add-link.ts'
import { exploreGraph } from '../graph/explore-graph.ts'
import { getLinks } from '../graph/get-links.ts'
import { getRelatedMemories } from '../graph/get-related-memories.ts'
import { removeLink } from '../graph/remove-link.ts'
import { info } from '../integrations/info.ts'
import { archiveMemory } from '../memories/archive-memory.ts'
import { cleanupMemories } from '../memories/cleanup-memories.ts'
import { readMemories } from '../memories/read-memories.ts'
import { updateMemory } from '../memories/update-memory.ts'
import { writeMemory } from '../memories/write-memory.ts'
import { ackMessage } from '../messages/ack-message.ts'
import { pendingMessages } from '../messages/pending-messages.ts'
import { readMessages } from '../messages/read-messages.ts'
import { sendMessage } from '../messages/send-message.ts'
import { createFolder } from '../notes/create-folder.ts'
import { createNote } from '../notes/create-note.ts'
import { deleteNote } from '../notes/delete-note.ts'
import { listFolders } from '../notes/list-folders.ts'
import { listNotes } from '../notes/list-notes.ts'
import { moveNote } from '../notes/move-note.ts'
import { readNote } from '../notes/read-note.ts'
import { readNotes } from '../notes/read-notes.ts'
import { updateNote } from '../notes/update-note.ts'
import { searchAndRead } from '../search/search-and-read.ts'
import { searchMemories } from '../search/search-memories.ts'
import { searchNotes } from '../search/search-notes.ts'
import { semanticSearch } from '../search/semantic-search.ts'
import { contextCheckpoint } from '../sessions/context-checkpoint.ts'
import { ingestTurn } from '../turns/ingest-turn.ts'
import { listActiveAgents } from '../runs/list-active-agents.ts'
import { sessionStart } from '../sessions/session-start.ts'
import { sessionTrack } from '../sessions/session-track.ts'
import { createTask } from '../tasks/create-task.ts'
import { listTasks } from '../tasks/list-tasks.ts'
import { updateTask } from '../tasks/update-task.ts'
import { createVault } from '../vaults/create-vault.ts'
import { getSettings } from '../vaults/get-settings.ts'
import { listVaults } from '../vaults/list-vaults.ts'
import { updateSettings } from '../vaults/update-settings.ts'
import type { Operation } from '../operation/operation.ts'

/** What agents do, in the order of the reference. */
export const agentOperations: readonly Operation[] = [
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
]
