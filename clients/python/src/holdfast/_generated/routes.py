# Written by `npm run generate` from the registry of operations; do not edit.
"""How operations are called."""

from __future__ import annotations

from .._route import Route

SESSION_START = Route(
    "POST",
    "/api/agent/session-start",
    "as_one_run",
    in_vault=True,
)
CONTEXT_CHECKPOINT = Route(
    "POST",
    "/api/agent/context-checkpoint",
    "with_run_id",
    in_vault=True,
    shape={"memories": {"relatedMemoryIds": {}}},
)
WRITE_MEMORY = Route(
    "POST",
    "/api/agent/write-memory",
    "with_write_id",
    in_vault=True,
    shape={"relatedMemoryIds": {}},
)
READ_MEMORIES = Route(
    "POST",
    "/api/agent/read-memories",
    "always",
    in_vault=True,
)
UPDATE_MEMORY = Route(
    "POST",
    "/api/agent/update-memory",
    "never",
    in_vault=True,
    nullable=frozenset({"expiresAt"}),
    shape={"relatedMemoryIds": {}},
)
ARCHIVE_MEMORY = Route(
    "POST",
    "/api/agent/archive-memory",
    "never",
    in_vault=True,
)
CLEANUP_MEMORIES = Route(
    "POST",
    "/api/agent/cleanup-memories",
    "never",
    in_vault=True,
)
GET_RELATED_MEMORIES = Route(
    "POST",
    "/api/agent/get-related-memories",
    "always",
    in_vault=True,
    items="memories",
)
SEARCH_MEMORIES = Route(
    "POST",
    "/api/agent/search-memories",
    "always",
    in_vault=True,
)
CREATE_TASK = Route(
    "POST",
    "/api/agent/create-task",
    "with_write_id",
    in_vault=True,
)
UPDATE_TASK = Route(
    "POST",
    "/api/agent/update-task",
    "never",
    in_vault=True,
    nullable=frozenset({"assignedAgentId", "doneWhen", "blockedReason"}),
)
LIST_TASKS = Route(
    "POST",
    "/api/agent/list-tasks",
    "always",
    in_vault=True,
    items="tasks",
)
CREATE_NOTE = Route(
    "POST",
    "/api/agent/create-note",
    "with_write_id",
    in_vault=True,
)
READ_NOTE = Route(
    "POST",
    "/api/agent/read-note",
    "always",
    in_vault=True,
)
READ_NOTES = Route(
    "POST",
    "/api/agent/read-notes",
    "always",
    in_vault=True,
)
UPDATE_NOTE = Route(
    "POST",
    "/api/agent/update-note",
    "never",
    in_vault=True,
    shape={"edits": {}},
)
DELETE_NOTE = Route(
    "POST",
    "/api/agent/delete-note",
    "never",
    in_vault=True,
)
MOVE_NOTE = Route(
    "POST",
    "/api/agent/move-note",
    "never",
    in_vault=True,
    nullable=frozenset({"folderId"}),
)
LIST_NOTES = Route(
    "POST",
    "/api/agent/list-notes",
    "always",
    in_vault=True,
    items="notes",
)
SEARCH_NOTES = Route(
    "POST",
    "/api/agent/search-notes",
    "always",
    in_vault=True,
    items="notes",
)
SEMANTIC_SEARCH = Route(
    "POST",
    "/api/agent/semantic-search",
    "always",
    in_vault=True,
)
SEARCH_AND_READ = Route(
    "POST",
    "/api/agent/search-and-read",
    "always",
    in_vault=True,
)
CREATE_FOLDER = Route(
    "POST",
    "/api/agent/create-folder",
    "never",
    in_vault=True,
)
LIST_FOLDERS = Route(
    "POST",
    "/api/agent/list-folders",
    "always",
    in_vault=True,
    items="folders",
)
ADD_LINK = Route(
    "POST",
    "/api/agent/add-link",
    "with_write_id",
    in_vault=True,
)
REMOVE_LINK = Route(
    "POST",
    "/api/agent/remove-link",
    "never",
    in_vault=True,
)
GET_LINKS = Route(
    "POST",
    "/api/agent/get-links",
    "always",
    in_vault=True,
    items="links",
)
EXPLORE_GRAPH = Route(
    "POST",
    "/api/agent/explore-graph",
    "always",
    in_vault=True,
)
SEND_MESSAGE = Route(
    "POST",
    "/api/agent/send-message",
    "with_write_id",
    in_vault=True,
)
READ_MESSAGES = Route(
    "POST",
    "/api/agent/read-messages",
    "always",
    items="messages",
)
PENDING_MESSAGES = Route(
    "POST",
    "/api/agent/pending-messages",
    "always",
    items="messages",
)
ACK_MESSAGE = Route(
    "POST",
    "/api/agent/ack-message",
    "never",
)
INGEST_TURN = Route(
    "POST",
    "/api/agent/ingest-turn",
    "never",
    in_vault=True,
)
SESSION_TRACK = Route(
    "POST",
    "/api/agent/session-track",
    "never",
    in_vault=True,
)
LIST_ACTIVE_AGENTS = Route(
    "POST",
    "/api/agent/list-active-agents",
    "always",
    in_vault=True,
    items="agents",
)
READ_DOCUMENT = Route(
    "POST",
    "/api/agent/read-document",
    "always",
    in_vault=True,
)
UPDATE_DOCUMENT = Route(
    "POST",
    "/api/agent/update-document",
    "never",
    in_vault=True,
)
GET_SETTINGS = Route(
    "POST",
    "/api/agent/get-settings",
    "always",
    in_vault=True,
)
UPDATE_SETTINGS = Route(
    "POST",
    "/api/agent/update-settings",
    "never",
    in_vault=True,
    shape={"settings": {"dedup": {}, "sessionProfiles": {"default": {}, "planning": {}, "incident": {}, "handoff": {}, "deep": {}, "minimal": {}, "none": {}}, "retention": {}}},
)
CREATE_VAULT = Route(
    "POST",
    "/api/agent/create-vault",
    "never",
)
LIST_VAULTS = Route(
    "POST",
    "/api/agent/list-vaults",
    "always",
    items="vaults",
)
INFO = Route(
    "GET",
    "/api/agent/info",
    "always",
)
