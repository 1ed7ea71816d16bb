// Written by `npm run generate` from the registry of operations; do not edit.

import type { OperationTool } from '../operation-tool.ts'

export const operationTools: readonly OperationTool[] = [
 {
  "name": "session_start",
  "operation": "session-start",
  "description": "Begin a session: what an agent should know of the vault, in one answer of a size that it chooses. Send its agentRunId with what follows (in the body, or as X-Agent-Run-Id), and list-active-agents shows this run to others.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "query": {
     "type": "string",
     "description": "What the session is about: facts that fit come first."
    },
    "summaryOnly": {
     "type": "boolean",
     "description": "Clipped summaries in place of whole contents.",
     "default": true
    },
    "mode": {
     "type": "string",
     "description": "What kind of session it is; sets what is told, how much, and in which order. Default: the vault's.",
     "enum": [
      "default",
      "planning",
      "incident",
      "handoff",
      "deep",
      "minimal",
      "none"
     ],
     "default": "default"
    },
    "maxEpisodic": {
     "type": "integer",
     "description": "How many episodic memories, 0 to 10. Default: as the mode has it.",
     "minimum": 0,
     "maximum": 10
    },
    "maxFacts": {
     "type": "integer",
     "description": "How many facts, preferences, skills and corrections, 0 to 20. Default: as the mode has it.",
     "minimum": 0,
     "maximum": 20
    },
    "maxTasks": {
     "type": "integer",
     "description": "How many tasks, 0 to 10. Default: as the mode has it.",
     "minimum": 0,
     "maximum": 10
    },
    "maxConstraints": {
     "type": "integer",
     "description": "How many constraints, 0 to 20. Default: as the mode has it.",
     "minimum": 0,
     "maximum": 20
    },
    "includeDocuments": {
     "type": "array",
     "description": "Which documents of the vault. Default: as the mode has it.",
     "default": [
      "soul"
     ],
     "maxItems": 4,
     "items": {
      "type": "string",
      "enum": [
       "soul",
       "instructions",
       "skills",
       "checks"
      ]
     }
    },
    "maxResponseChars": {
     "type": "integer",
     "description": "Most characters of the whole answer, 2,000 to 100,000.",
     "default": 16000,
     "minimum": 2000,
     "maximum": 100000
    },
    "peek": {
     "type": "boolean",
     "description": "Only look: no session begins, and what counts as changed at the next one stays.",
     "default": false
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "context_checkpoint",
  "operation": "context-checkpoint",
  "description": "Save what a session has learned, and its summary, in one call.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "memories": {
     "type": "array",
     "description": "What is worth keeping of the session, at most 50; each is checked and stored by itself.",
     "maxItems": 50,
     "items": {
      "type": "object",
      "properties": {
       "content": {
        "type": "string",
        "description": "As in write-memory. What to remember, 1 to 100,000 characters."
       },
       "summary": {
        "type": "string",
        "description": "As in write-memory. Short form, at most 2,000 characters."
       },
       "memoryType": {
        "type": "string",
        "description": "As in write-memory. Kind of memory.",
        "enum": [
         "fact",
         "skill",
         "preference",
         "constraint",
         "task",
         "episodic",
         "correction"
        ],
        "default": "fact"
       },
       "importance": {
        "type": "integer",
        "description": "As in write-memory. 1 (trivial) to 5 (vital).",
        "default": 3,
        "minimum": 1,
        "maximum": 5
       },
       "confidence": {
        "type": "integer",
        "description": "As in write-memory. 1 (a guess) to 5 (certain).",
        "default": 3,
        "minimum": 1,
        "maximum": 5
       },
       "entities": {
        "type": "array",
        "description": "As in write-memory. Names that the memory is about, to filter by; at most 100.",
        "maxItems": 100,
        "items": {
         "type": "string"
        }
       },
       "relatedMemoryIds": {
        "type": "array",
        "description": "As in write-memory. Memories of the same vault to link to: ids, or objects with a relationType and a label.",
        "maxItems": 100,
        "items": {
         "type": "object",
         "properties": {
          "memoryId": {
           "type": "string"
          },
          "relationType": {
           "type": "string",
           "enum": [
            "wiki_link",
            "derived_from",
            "contradicts",
            "refines",
            "part_of",
            "supersedes",
            "source_of",
            "references",
            "manual"
           ]
          },
          "label": {
           "type": "string"
          }
         },
         "required": [
          "memoryId"
         ]
        }
       },
       "sourceNoteIds": {
        "type": "array",
        "description": "As in write-memory. Notes that it was derived from.",
        "maxItems": 100,
        "items": {
         "type": "string"
        }
       },
       "supersededById": {
        "type": "string",
        "description": "As in write-memory. Id of the memory that this one supersedes and takes out of search."
       },
       "expiresAt": {
        "type": "string",
        "description": "As in write-memory. From when on it counts as gone.",
        "format": "date-time"
       },
       "metadata": {
        "type": "object",
        "description": "As in write-memory."
       },
       "writeReason": {
        "type": "string",
        "description": "As in write-memory. Why it is written."
       },
       "occurredAt": {
        "type": "string",
        "description": "As in write-memory. When what it tells took place. Default: now.",
        "format": "date-time"
       }
      }
     }
    },
    "sessionSummary": {
     "type": "string",
     "description": "What happened; becomes an episodic memory."
    },
    "dedup": {
     "type": "boolean",
     "description": "Store no memory that says what one of the same type says already.",
     "default": true
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Run that ends or pauses here: with one, the same call again stores nothing twice. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "memories",
    "sessionSummary"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "write_memory",
  "operation": "write-memory",
  "description": "Store a memory.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "content": {
     "type": "string",
     "description": "What to remember, 1 to 100,000 characters."
    },
    "summary": {
     "type": "string",
     "description": "Short form, at most 2,000 characters."
    },
    "memoryType": {
     "type": "string",
     "description": "Kind of memory.",
     "enum": [
      "fact",
      "skill",
      "preference",
      "constraint",
      "task",
      "episodic",
      "correction"
     ],
     "default": "fact"
    },
    "importance": {
     "type": "integer",
     "description": "1 (trivial) to 5 (vital).",
     "default": 3,
     "minimum": 1,
     "maximum": 5
    },
    "confidence": {
     "type": "integer",
     "description": "1 (a guess) to 5 (certain).",
     "default": 3,
     "minimum": 1,
     "maximum": 5
    },
    "entities": {
     "type": "array",
     "description": "Names that the memory is about, to filter by; at most 100.",
     "maxItems": 100,
     "items": {
      "type": "string"
     }
    },
    "relatedMemoryIds": {
     "type": "array",
     "description": "Memories of the same vault to link to: ids, or objects with a relationType and a label.",
     "maxItems": 100,
     "items": {
      "type": "object",
      "properties": {
       "memoryId": {
        "type": "string"
       },
       "relationType": {
        "type": "string",
        "enum": [
         "wiki_link",
         "derived_from",
         "contradicts",
         "refines",
         "part_of",
         "supersedes",
         "source_of",
         "references",
         "manual"
        ]
       },
       "label": {
        "type": "string"
       }
      },
      "required": [
       "memoryId"
      ]
     }
    },
    "sourceNoteIds": {
     "type": "array",
     "description": "Notes that it was derived from.",
     "maxItems": 100,
     "items": {
      "type": "string"
     }
    },
    "supersededById": {
     "type": "string",
     "description": "Id of the memory that this one supersedes and takes out of search."
    },
    "expiresAt": {
     "type": "string",
     "description": "From when on it counts as gone.",
     "format": "date-time"
    },
    "metadata": {
     "type": "object",
     "description": "Any JSON object of your own; at most 65,536 characters as JSON."
    },
    "writeReason": {
     "type": "string",
     "description": "Why it is written."
    },
    "occurredAt": {
     "type": "string",
     "description": "When what it tells took place. Default: now.",
     "format": "date-time"
    },
    "externalWriteId": {
     "type": "string",
     "description": "Idempotency key: a repeat answers with the first memory and changes nothing."
    },
    "dedup": {
     "type": "boolean",
     "description": "Look for a memory of the same type first that says the same. One that does answers in its place; one that is out of date is superseded.",
     "default": false
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "content"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "read_memories",
  "operation": "read-memories",
  "description": "Read memories whole, by id, archived ones included and marked.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "memoryIds": {
     "type": "array",
     "description": "Ids of the memories, 1 to 50.",
     "minItems": 1,
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "memoryIds"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "update_memory",
  "operation": "update-memory",
  "description": "Change a memory, or restore an archived one. Fields left out stay as they are.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "memoryId": {
     "type": "string",
     "description": "Id of the memory."
    },
    "content": {
     "type": "string",
     "description": "What to remember, 1 to 100,000 characters."
    },
    "summary": {
     "type": "string",
     "description": "Short form, at most 2,000 characters."
    },
    "memoryType": {
     "type": "string",
     "description": "Kind of memory.",
     "enum": [
      "fact",
      "skill",
      "preference",
      "constraint",
      "task",
      "episodic",
      "correction"
     ]
    },
    "importance": {
     "type": "integer",
     "description": "1 (trivial) to 5 (vital).",
     "minimum": 1,
     "maximum": 5
    },
    "confidence": {
     "type": "integer",
     "description": "1 (a guess) to 5 (certain).",
     "minimum": 1,
     "maximum": 5
    },
    "entities": {
     "type": "array",
     "description": "Names that the memory is about, to filter by; at most 100.",
     "maxItems": 100,
     "items": {
      "type": "string"
     }
    },
    "relatedMemoryIds": {
     "type": "array",
     "description": "Memories of the same vault to link to: ids, or objects with a relationType and a label.",
     "maxItems": 100,
     "items": {
      "type": "object",
      "properties": {
       "memoryId": {
        "type": "string"
       },
       "relationType": {
        "type": "string",
        "enum": [
         "wiki_link",
         "derived_from",
         "contradicts",
         "refines",
         "part_of",
         "supersedes",
         "source_of",
         "references",
         "manual"
        ]
       },
       "label": {
        "type": "string"
       }
      },
      "required": [
       "memoryId"
      ]
     }
    },
    "sourceNoteIds": {
     "type": "array",
     "description": "Notes that it was derived from.",
     "maxItems": 100,
     "items": {
      "type": "string"
     }
    },
    "supersededById": {
     "type": "string",
     "description": "Id of the memory that this one supersedes and takes out of search."
    },
    "expiresAt": {
     "type": "string",
     "description": "From when on it counts as gone; null: never.",
     "format": "date-time",
     "nullable": true
    },
    "metadata": {
     "type": "object",
     "description": "Merged into what is there; a key set to null is deleted."
    },
    "writeReason": {
     "type": "string",
     "description": "Why it is written."
    },
    "occurredAt": {
     "type": "string",
     "description": "When what it tells took place. Default: now.",
     "format": "date-time"
    },
    "archived": {
     "type": "boolean",
     "description": "false restores an archived memory; archive-memory archives."
    },
    "expectedVersion": {
     "type": "integer",
     "description": "Fail with 409 unless the record still has this version.",
     "minimum": 1
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "memoryId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "archive_memory",
  "operation": "archive-memory",
  "description": "Hide a memory from search without deleting it.",
  "effect": "destructive",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "memoryId": {
     "type": "string",
     "description": "Id of the memory."
    },
    "reason": {
     "type": "string",
     "description": "Why; kept with the memory."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "memoryId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "cleanup_memories",
  "operation": "cleanup-memories",
  "description": "Archive memories in bulk, by at least one filter; all that are given must match. Importance 5, constraints, corrections, open tasks and what other memories were derived from are protected.",
  "effect": "destructive",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "olderThanDays": {
     "type": "integer",
     "description": "Only memories not changed for so many days.",
     "minimum": 0,
     "maximum": 36500
    },
    "maxImportance": {
     "type": "integer",
     "description": "Only memories of this importance or less.",
     "minimum": 1,
     "maximum": 5
    },
    "maxConfidence": {
     "type": "integer",
     "description": "Only memories of this confidence or less.",
     "minimum": 1,
     "maximum": 5
    },
    "memoryTypes": {
     "type": "array",
     "description": "Only memories of these types.",
     "maxItems": 7,
     "items": {
      "type": "string",
      "enum": [
       "fact",
       "skill",
       "preference",
       "constraint",
       "task",
       "episodic",
       "correction"
      ]
     }
    },
    "notAccessedSinceDays": {
     "type": "integer",
     "description": "Only memories that nobody has read for so many days.",
     "minimum": 0,
     "maximum": 36500
    },
    "includeExpired": {
     "type": "boolean",
     "description": "Also memories that have expired; with no other filter these alone.",
     "default": false
    },
    "duplicatesOnly": {
     "type": "boolean",
     "description": "Only memories, of those that the other filters match, that say what an older one says. Tasks are left alone.",
     "default": false
    },
    "afterMemoryId": {
     "type": "string",
     "description": "Go on behind this memory, which `nextAfter` of the answer before named; the oldest come first."
    },
    "limit": {
     "type": "integer",
     "description": "How many to archive at most, the oldest first; 1 to 500.",
     "default": 100,
     "minimum": 1,
     "maximum": 500
    },
    "dryRun": {
     "type": "boolean",
     "description": "Only say what would be archived; send false to archive.",
     "default": true
    },
    "force": {
     "type": "boolean",
     "description": "Archive protected memories as well; needs the admin permission in this vault.",
     "default": false
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "get_related_memories",
  "operation": "get-related-memories",
  "description": "List the live memories that are linked with a memory, nearest first.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "memoryId": {
     "type": "string",
     "description": "Id of the memory."
    },
    "maxHops": {
     "type": "integer",
     "description": "How many links away to go, 1 to 3, by way of notes as well.",
     "default": 1,
     "minimum": 1,
     "maximum": 3
    },
    "relationTypes": {
     "type": "array",
     "description": "Only links of these relations.",
     "minItems": 1,
     "maxItems": 9,
     "items": {
      "type": "string",
      "enum": [
       "wiki_link",
       "derived_from",
       "contradicts",
       "refines",
       "part_of",
       "supersedes",
       "source_of",
       "references",
       "manual"
      ]
     }
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "memoryId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "search_memories",
  "operation": "search-memories",
  "description": "Find memories by meaning, words and links.",
  "effect": "read",
  "scopes": [
   "read",
   "search"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "query": {
     "type": "string",
     "description": "What to look for, in words; 1 to 10,000 characters."
    },
    "topK": {
     "type": "integer",
     "description": "How many to return, 1 to 50.",
     "default": 10,
     "minimum": 1,
     "maximum": 50
    },
    "threshold": {
     "type": "number",
     "description": "Least similarity of a semantic match, 0 to 1; matches by words are never cut by it. Default: the vault's setting.",
     "default": 0.4,
     "minimum": 0,
     "maximum": 1
    },
    "memoryType": {
     "type": "string",
     "description": "Only memories of this type.",
     "enum": [
      "fact",
      "skill",
      "preference",
      "constraint",
      "task",
      "episodic",
      "correction"
     ]
    },
    "memoryTypes": {
     "type": "array",
     "description": "Only memories of these types.",
     "maxItems": 7,
     "items": {
      "type": "string",
      "enum": [
       "fact",
       "skill",
       "preference",
       "constraint",
       "task",
       "episodic",
       "correction"
      ]
     }
    },
    "entities": {
     "type": "array",
     "description": "Only memories that name at least one of these.",
     "maxItems": 20,
     "items": {
      "type": "string"
     }
    },
    "minImportance": {
     "type": "integer",
     "description": "Only memories of this importance or more.",
     "minimum": 1,
     "maximum": 5
    },
    "createdAfter": {
     "type": "string",
     "description": "Only memories stored at or after this moment.",
     "format": "date-time"
    },
    "createdBefore": {
     "type": "string",
     "description": "Only memories stored before this moment.",
     "format": "date-time"
    },
    "includeArchived": {
     "type": "boolean",
     "description": "Whether archived memories are found as well.",
     "default": false
    },
    "decayHalfLife": {
     "type": "integer",
     "description": "Days after which the small bonus of recent memories halves. Default: the vault's setting.",
     "default": 30,
     "minimum": 1,
     "maximum": 365
    },
    "diversity": {
     "type": "number",
     "description": "0: by score alone; 1: avoid similar results as far as possible. Default: the vault's setting.",
     "default": 0.7,
     "minimum": 0,
     "maximum": 1
    },
    "asOf": {
     "type": "string",
     "description": "The moment the question is asked; later memories are left out. Default: now.",
     "format": "date-time"
    },
    "summaryOnly": {
     "type": "boolean",
     "description": "Return summaries in place of contents where there are any.",
     "default": false
    },
    "explain": {
     "type": "boolean",
     "description": "Add scoreDetails to each hit, and an explanation of the search and of what it left out.",
     "default": false
    },
    "explainIds": {
     "type": "array",
     "description": "With explain: memories of which the explanation says why they are not in the answer, at most 20.",
     "maxItems": 20,
     "items": {
      "type": "string"
     }
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "query"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "create_task",
  "operation": "create-task",
  "description": "Make a task. It is a memory of type task as well, found by search like others.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "title": {
     "type": "string",
     "description": "What is to be done, 1 to 10,000 characters."
    },
    "description": {
     "type": "string",
     "description": "The rest of it, at most 100,000 characters."
    },
    "assignedAgentId": {
     "type": "string",
     "description": "Who is to do it: the identifier of an agent."
    },
    "doneWhen": {
     "type": "string",
     "description": "What must be true for it to be done; at most 10,000 characters."
    },
    "blockedReason": {
     "type": "string",
     "description": "What it waits for, at most 10,000 characters. Gone once it is no longer blocked."
    },
    "status": {
     "type": "string",
     "description": "Where it stands.",
     "enum": [
      "backlog",
      "todo",
      "in_progress",
      "done",
      "blocked"
     ],
     "default": "todo"
    },
    "priority": {
     "type": "integer",
     "description": "1 (whenever) to 5 (at once); the importance of its memory.",
     "default": 3,
     "minimum": 1,
     "maximum": 5
    },
    "metadata": {
     "type": "object",
     "description": "Any JSON object of your own; at most 65,536 characters as JSON."
    },
    "externalWriteId": {
     "type": "string",
     "description": "Idempotency key: a repeat answers with the first task and changes nothing."
    },
    "dedup": {
     "type": "boolean",
     "description": "Look first for a task that says the same, is not done, and has the same status and assignee; it answers in the place of a new one.",
     "default": false
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "title"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "update_task",
  "operation": "update-task",
  "description": "Change a task: claim it, move it on, rewrite it. Fields left out stay as they are.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "taskId": {
     "type": "string",
     "description": "Id of the task; the same as the id of its memory."
    },
    "title": {
     "type": "string",
     "description": "What is to be done, 1 to 10,000 characters."
    },
    "description": {
     "type": "string",
     "description": "The rest of it, at most 100,000 characters; empty: none."
    },
    "status": {
     "type": "string",
     "description": "Where it stands from now on; any may follow any. `done` sets completedAt, leaving it clears it.",
     "enum": [
      "backlog",
      "todo",
      "in_progress",
      "done",
      "blocked"
     ]
    },
    "priority": {
     "type": "integer",
     "description": "1 (whenever) to 5 (at once).",
     "minimum": 1,
     "maximum": 5
    },
    "assignedAgentId": {
     "type": "string",
     "description": "Who is to do it; null: nobody yet.",
     "nullable": true
    },
    "doneWhen": {
     "type": "string",
     "description": "What must be true for it to be done, at most 10,000 characters; null or empty: nothing.",
     "nullable": true
    },
    "blockedReason": {
     "type": "string",
     "description": "What it waits for, at most 10,000 characters; null or empty: nothing. Gone once it is no longer blocked.",
     "nullable": true
    },
    "metadata": {
     "type": "object",
     "description": "Merged into what is there; a key set to null is deleted."
    },
    "comment": {
     "type": "string",
     "description": "Kept in the history of the task, beside who and when."
    },
    "expectedStatus": {
     "type": "string",
     "description": "Fail with 409 unless the task has this status: of several that claim it, one wins.",
     "enum": [
      "backlog",
      "todo",
      "in_progress",
      "done",
      "blocked"
     ]
    },
    "expectedVersion": {
     "type": "integer",
     "description": "Fail with 409 unless the record still has this version.",
     "minimum": 1
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "taskId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "list_tasks",
  "operation": "list-tasks",
  "description": "List the tasks of a vault, the most urgent first, then those changed last.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "status": {
     "type": "array",
     "description": "Only tasks of this status, or of any of these.",
     "maxItems": 5,
     "items": {
      "type": "string",
      "enum": [
       "backlog",
       "todo",
       "in_progress",
       "done",
       "blocked"
      ]
     }
    },
    "assignedAgentId": {
     "type": "string",
     "description": "Only tasks of this agent."
    },
    "priorityMin": {
     "type": "integer",
     "description": "Only tasks of this priority or more.",
     "minimum": 1,
     "maximum": 5
    },
    "includeDone": {
     "type": "boolean",
     "description": "Whether tasks that are done are listed as well.",
     "default": true
    },
    "includeArchived": {
     "type": "boolean",
     "description": "Whether archived tasks are listed and counted as well.",
     "default": false
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "create_note",
  "operation": "create-note",
  "description": "Write a note, in a folder if you like. [[Titles]] in its text link to other notes.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "title": {
     "type": "string",
     "description": "Title, 1 to 500 characters. Other notes link to it as [[Title]]."
    },
    "content": {
     "type": "string",
     "description": "Text, usually markdown, at most 500,000 characters. [[Title]], [[Title|alias]] and [[Title#Heading]] link to notes.",
     "default": ""
    },
    "tags": {
     "type": "array",
     "description": "At most 50 tags of 1 to 100 characters. Letter case and white space tell none apart.",
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "folderId": {
     "type": "string",
     "description": "Folder to put it in."
    },
    "folderPath": {
     "type": "string",
     "description": "The same by names, as in `Projects/Holdfast`; folders that are missing are made. At most 20 levels."
    },
    "externalWriteId": {
     "type": "string",
     "description": "Idempotency key: a repeat answers with the first note and changes nothing."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "title"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "read_note",
  "operation": "read-note",
  "description": "Read a note whole, a trashed one too, which is marked.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "noteId": {
     "type": "string",
     "description": "Id of the note."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "noteId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "read_notes",
  "operation": "read-notes",
  "description": "Read notes whole, by id, trashed ones included and marked.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "noteIds": {
     "type": "array",
     "description": "Ids of the notes, 1 to 50.",
     "minItems": 1,
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "noteIds"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "update_note",
  "operation": "update-note",
  "description": "Change a note, or restore a trashed one. Fields left out stay as they are; the last 50 versions are kept.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "noteId": {
     "type": "string",
     "description": "Id of the note."
    },
    "title": {
     "type": "string",
     "description": "New title; notes that link to this one by the old title are rewritten."
    },
    "content": {
     "type": "string",
     "description": "Text, usually markdown, at most 500,000 characters. [[Title]], [[Title|alias]] and [[Title#Heading]] link to notes."
    },
    "mode": {
     "type": "string",
     "description": "Whether content replaces the text or is put behind or before it, as it is.",
     "enum": [
      "replace",
      "append",
      "prepend"
     ],
     "default": "replace"
    },
    "edits": {
     "type": "array",
     "description": "Changes within the text, one after the other, in place of content; 1 to 100. Times the length of the note at most 5,000,000 characters.",
     "minItems": 1,
     "maxItems": 100,
     "items": {
      "type": "object",
      "properties": {
       "find": {
        "type": "string",
        "description": "A passage that occurs exactly once."
       },
       "replace": {
        "type": "string",
        "description": "What takes its place."
       }
      },
      "required": [
       "find",
       "replace"
      ]
     }
    },
    "tags": {
     "type": "array",
     "description": "All tags from now on, at most 50.",
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "trashed": {
     "type": "boolean",
     "description": "false restores a trashed note; delete-note trashes."
    },
    "expectedVersion": {
     "type": "integer",
     "description": "Fail with 409 unless the record still has this version.",
     "minimum": 1
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "noteId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "delete_note",
  "operation": "delete-note",
  "description": "Trash a note: it leaves search, lists and links by title, and can be restored with update-note.",
  "effect": "destructive",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "noteId": {
     "type": "string",
     "description": "Id of the note."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "noteId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "move_note",
  "operation": "move-note",
  "description": "Move a note to another folder, or to the vault's root.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "noteId": {
     "type": "string",
     "description": "Id of the note."
    },
    "folderId": {
     "type": "string",
     "description": "Folder to move it to; null: the vault's root. Without folderId and folderPath it stays where it is.",
     "nullable": true
    },
    "folderPath": {
     "type": "string",
     "description": "The same by names, as in `Projects/Holdfast`; folders that are missing are made. At most 20 levels."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "noteId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "list_notes",
  "operation": "list-notes",
  "description": "List the notes of a vault or folder, newest first, each with how it begins.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "folderId": {
     "type": "string",
     "description": "Only notes in this folder. Default: the whole vault."
    },
    "folderPath": {
     "type": "string",
     "description": "The same by names, as in `Projects/Holdfast`."
    },
    "recursive": {
     "type": "boolean",
     "description": "Notes in the folder's folders too. false without a folder: only notes at the vault's root.",
     "default": true
    },
    "tags": {
     "type": "array",
     "description": "Only notes with all of these tags.",
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "includeTrashed": {
     "type": "boolean",
     "description": "Trashed notes too, marked.",
     "default": false
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "search_notes",
  "operation": "search-notes",
  "description": "Find notes by the words of title, tags and content.",
  "effect": "read",
  "scopes": [
   "read",
   "search"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "query": {
     "type": "string",
     "description": "Words to look for, 1 to 10,000 characters. A note that holds any of them is found; of many, the rarest count: 32, and fewer where thousands of notes hold each."
    },
    "tags": {
     "type": "array",
     "description": "Only notes with all of these tags.",
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "folderId": {
     "type": "string",
     "description": "Only notes in this folder and in the folders in it."
    },
    "folderPath": {
     "type": "string",
     "description": "The same by names, as in `Projects/Holdfast`."
    },
    "in": {
     "type": "array",
     "description": "Where to look for the words. Default: everywhere.",
     "maxItems": 3,
     "items": {
      "type": "string",
      "enum": [
       "title",
       "tags",
       "content"
      ]
     }
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "query"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "semantic_search",
  "operation": "semantic-search",
  "description": "Find notes by meaning.",
  "effect": "read",
  "scopes": [
   "read",
   "search"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "query": {
     "type": "string",
     "description": "What to look for, in words; 1 to 10,000 characters."
    },
    "topK": {
     "type": "integer",
     "description": "How many to return, 1 to 50.",
     "default": 10,
     "minimum": 1,
     "maximum": 50
    },
    "threshold": {
     "type": "number",
     "description": "Least similarity, 0 to 1.",
     "default": 0.5,
     "minimum": 0,
     "maximum": 1
    },
    "tags": {
     "type": "array",
     "description": "Only notes with all of these tags.",
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "folderId": {
     "type": "string",
     "description": "Only notes in this folder and in the folders in it."
    },
    "folderPath": {
     "type": "string",
     "description": "The same by names, as in `Projects/Holdfast`."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "query"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "search_and_read",
  "operation": "search-and-read",
  "description": "Find notes by meaning, words and links, and read the best of them.",
  "effect": "read",
  "scopes": [
   "read",
   "search"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "query": {
     "type": "string",
     "description": "What to look for, in words; 1 to 10,000 characters."
    },
    "topK": {
     "type": "integer",
     "description": "How many to return, 1 to 10.",
     "default": 3,
     "minimum": 1,
     "maximum": 10
    },
    "threshold": {
     "type": "number",
     "description": "Least similarity of a semantic match, 0 to 1; matches by words are never cut by it. Default: the vault's setting.",
     "default": 0.4,
     "minimum": 0,
     "maximum": 1
    },
    "maxChars": {
     "type": "integer",
     "description": "Most characters of content of each note.",
     "default": 8000,
     "minimum": 1,
     "maximum": 500000
    },
    "tags": {
     "type": "array",
     "description": "Only notes with all of these tags.",
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "folderId": {
     "type": "string",
     "description": "Only notes in this folder and in the folders in it."
    },
    "folderPath": {
     "type": "string",
     "description": "The same by names, as in `Projects/Holdfast`."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "query"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "create_folder",
  "operation": "create-folder",
  "description": "Make a folder for notes, or find the one that has this name already.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "name": {
     "type": "string",
     "description": "Name of the folder, without `/`. Letter case and white space tell no folders apart."
    },
    "path": {
     "type": "string",
     "description": "Names from the top, parted by `/`; missing folders are made. With a name: where to make it. At most 20 levels."
    },
    "parentId": {
     "type": "string",
     "description": "Folder in which name or path begin. Default: the vault's root."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "list_folders",
  "operation": "list-folders",
  "description": "List the folders of a vault in the order of their tree, by name, each before what lies in it.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "parentId": {
     "type": "string",
     "description": "Only what lies in this folder. Default: the whole vault."
    },
    "recursive": {
     "type": "boolean",
     "description": "Folders at any depth; false: only those directly inside.",
     "default": true
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "add_link",
  "operation": "add-link",
  "description": "Link two notes or memories of one vault.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "sourceType": {
     "type": "string",
     "description": "What the link begins at.",
     "enum": [
      "note",
      "memory"
     ]
    },
    "sourceId": {
     "type": "string",
     "description": "Id of the note or memory that it begins at."
    },
    "targetType": {
     "type": "string",
     "description": "What the link points to.",
     "enum": [
      "note",
      "memory"
     ]
    },
    "targetId": {
     "type": "string",
     "description": "Id of the note or memory that it points to."
    },
    "relationType": {
     "type": "string",
     "description": "What the source is to the target.",
     "enum": [
      "wiki_link",
      "derived_from",
      "contradicts",
      "refines",
      "part_of",
      "supersedes",
      "source_of",
      "references",
      "manual"
     ]
    },
    "label": {
     "type": "string",
     "description": "A remark of your own, at most 500 characters."
    },
    "externalWriteId": {
     "type": "string",
     "description": "Idempotency key: a repeat answers with the first record and changes nothing."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "sourceType",
    "sourceId",
    "targetType",
    "targetId",
    "relationType"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "remove_link",
  "operation": "remove-link",
  "description": "Remove a link between two notes or memories.",
  "effect": "destructive",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "linkId": {
     "type": "string",
     "description": "Id of the link. In its place: sourceId, targetId and relationType, all three."
    },
    "sourceId": {
     "type": "string",
     "description": "Id of the note or memory that the link begins at."
    },
    "targetId": {
     "type": "string",
     "description": "Id of the note or memory that it points to."
    },
    "relationType": {
     "type": "string",
     "description": "What the source is to the target.",
     "enum": [
      "wiki_link",
      "derived_from",
      "contradicts",
      "refines",
      "part_of",
      "supersedes",
      "source_of",
      "references",
      "manual"
     ]
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "get_links",
  "operation": "get-links",
  "description": "List the links of a note or memory, newest first.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "nodeType": {
     "type": "string",
     "description": "What the node is.",
     "enum": [
      "note",
      "memory"
     ]
    },
    "nodeId": {
     "type": "string",
     "description": "Id of the note or memory."
    },
    "direction": {
     "type": "string",
     "description": "Links that leave the node, that reach it, or both.",
     "enum": [
      "both",
      "outgoing",
      "incoming"
     ],
     "default": "both"
    },
    "relationTypes": {
     "type": "array",
     "description": "Only links of these relations.",
     "minItems": 1,
     "maxItems": 9,
     "items": {
      "type": "string",
      "enum": [
       "wiki_link",
       "derived_from",
       "contradicts",
       "refines",
       "part_of",
       "supersedes",
       "source_of",
       "references",
       "manual"
      ]
     }
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "nodeType",
    "nodeId"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "explore_graph",
  "operation": "explore-graph",
  "description": "Follow links from a note or memory, or from what a query finds, several hops away.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "query": {
     "type": "string",
     "description": "Begin at the five best hits; 1 to 10,000 characters."
    },
    "nodeId": {
     "type": "string",
     "description": "Begin at this note or memory. The query is then passed over."
    },
    "nodeType": {
     "type": "string",
     "description": "What nodeId is; with a query, what to begin at. Default: either.",
     "enum": [
      "note",
      "memory"
     ]
    },
    "maxHops": {
     "type": "integer",
     "description": "How many links away from the beginning to go, 1 to 5.",
     "default": 2,
     "minimum": 1,
     "maximum": 5
    },
    "maxNodes": {
     "type": "integer",
     "description": "How many nodes to return at most, 1 to 200.",
     "default": 50,
     "minimum": 1,
     "maximum": 200
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "send_message",
  "operation": "send-message",
  "description": "Send a message to an agent, to the person, or to all agents of the vault.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "targetId": {
     "type": "string",
     "description": "Who it is for: the id of an agent, \"user\" for the person, \"*\" for every agent that reads the vault."
    },
    "targetType": {
     "type": "string",
     "description": "Follows from targetId; refused where it says something else.",
     "enum": [
      "agent",
      "user",
      "broadcast"
     ]
    },
    "content": {
     "type": "string",
     "description": "What to say, 1 to 10,240 characters."
    },
    "subject": {
     "type": "string",
     "description": "At most 200 characters. Default: the template's, else none."
    },
    "category": {
     "type": "string",
     "description": "Default: the template's, else info.",
     "enum": [
      "directive",
      "question",
      "info",
      "task",
      "alert"
     ],
     "default": "info"
    },
    "priority": {
     "type": "integer",
     "description": "1 (some time) to 5 (at once). Default: the template's, else 3.",
     "default": 3,
     "minimum": 1,
     "maximum": 5
    },
    "template": {
     "type": "string",
     "description": "Fills in category, priority and subject where they are left out.",
     "enum": [
      "task_assignment",
      "status_update",
      "alert",
      "question"
     ]
    },
    "parentMessageId": {
     "type": "string",
     "description": "The message that this one answers: it is then sent in the same thread and vault."
    },
    "expiresInDays": {
     "type": "integer",
     "description": "Days until it expires, 1 to 365.",
     "default": 30,
     "minimum": 1,
     "maximum": 365
    },
    "externalWriteId": {
     "type": "string",
     "description": "Idempotency key: a repeat answers with the first message and sends nothing."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "targetId",
    "content"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "read_messages",
  "operation": "read-messages",
  "description": "Read the messages to this agent and to all, the newest first. Reading acknowledges nothing.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": false,
  "inputSchema": {
   "type": "object",
   "properties": {
    "status": {
     "type": "string",
     "description": "Only messages that this agent has, or has not, acknowledged.",
     "enum": [
      "pending",
      "acknowledged",
      "all"
     ],
     "default": "all"
    },
    "category": {
     "type": "string",
     "description": "Only messages of this category.",
     "enum": [
      "directive",
      "question",
      "info",
      "task",
      "alert"
     ]
    },
    "priorityMin": {
     "type": "integer",
     "description": "Only messages of this priority or more.",
     "minimum": 1,
     "maximum": 5
    },
    "fromAgentId": {
     "type": "string",
     "description": "Only messages of this sender."
    },
    "threadId": {
     "type": "string",
     "description": "Only messages of this thread: the id of its first message."
    },
    "since": {
     "type": "string",
     "description": "Only messages sent at or after this moment.",
     "format": "date-time"
    },
    "includeSent": {
     "type": "boolean",
     "description": "Whether messages that this agent has sent are listed as well.",
     "default": false
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "pending_messages",
  "operation": "pending-messages",
  "description": "List what this agent has yet to acknowledge: the most urgent first, then the oldest. Read all pages before you acknowledge: what follows moves up.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": false,
  "inputSchema": {
   "type": "object",
   "properties": {
    "priorityMin": {
     "type": "integer",
     "description": "Only messages of this priority or more.",
     "minimum": 1,
     "maximum": 5
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "ack_message",
  "operation": "ack-message",
  "description": "Acknowledge a message to this agent, or several. Of a broadcast each recipient acknowledges its own.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": false,
  "inputSchema": {
   "type": "object",
   "properties": {
    "messageId": {
     "type": "string",
     "description": "Id of the message."
    },
    "messageIds": {
     "type": "array",
     "description": "Ids of several messages, 1 to 50.",
     "minItems": 1,
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "note": {
     "type": "string",
     "description": "What came of it; the sender sees it. At most 2,000 characters."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "ingest_turn",
  "operation": "ingest-turn",
  "description": "Hand in a turn of a conversation; what is worth remembering in it becomes memories.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "content": {
     "type": "string",
     "description": "What was said, 1 to 50,000 characters."
    },
    "role": {
     "type": "string",
     "description": "Who said it.",
     "enum": [
      "user",
      "assistant"
     ]
    },
    "signalThreshold": {
     "type": "integer",
     "description": "Score from which memories are looked for, 0 to 10. Default: the vault's setting.",
     "default": 3,
     "minimum": 0,
     "maximum": 10
    },
    "customSignalKeywords": {
     "type": "array",
     "description": "Words that count as signals, beside the vault's own; at most 50 of 100 characters, taken as they are.",
     "maxItems": 50,
     "items": {
      "type": "string"
     }
    },
    "occurredAt": {
     "type": "string",
     "description": "When it was said. Default: now.",
     "format": "date-time"
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "content",
    "role"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "session_track",
  "operation": "session-track",
  "description": "Tell that a run is alive, what it is doing, and when it ends. Calls that carry its agentRunId (in the body, or as X-Agent-Run-Id) are counted without it, and list-active-agents shows the run.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "event": {
     "type": "string",
     "description": "start (makes a run id where none is given), heartbeat, tool (counts a call of a tool elsewhere), or end.",
     "enum": [
      "start",
      "heartbeat",
      "tool",
      "end"
     ],
     "default": "heartbeat"
    },
    "toolName": {
     "type": "string",
     "description": "The tool that was called."
    },
    "currentActivity": {
     "type": "string",
     "description": "What the run is doing, at most 500 characters, for other agents to see. Default: the toolName."
    },
    "metadata": {
     "type": "object",
     "description": "Kept with the run, in place of what was."
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "list_active_agents",
  "operation": "list-active-agents",
  "description": "List the agents that were active in the vault lately, each with its latest run.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "withinMinutes": {
     "type": "integer",
     "description": "How far back, 1 minute to 7 days.",
     "default": 60,
     "minimum": 1,
     "maximum": 10080
    },
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "read_document",
  "operation": "read-document",
  "description": "Read one of a vault's documents: soul, instructions, skills or checks.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "documentType": {
     "type": "string",
     "description": "Which document.",
     "enum": [
      "soul",
      "instructions",
      "skills",
      "checks"
     ]
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "documentType"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "update_document",
  "operation": "update-document",
  "description": "Write one of a vault's documents, or add to it. Former texts are kept.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "documentType": {
     "type": "string",
     "description": "Which document.",
     "enum": [
      "soul",
      "instructions",
      "skills",
      "checks"
     ]
    },
    "content": {
     "type": "string",
     "description": "The text, or what is added to it; at most 100,000 characters, also once it is added."
    },
    "mode": {
     "type": "string",
     "description": "append adds the content on a line of its own behind what read-document shows.",
     "enum": [
      "replace",
      "append"
     ],
     "default": "replace"
    },
    "expectedVersion": {
     "type": "integer",
     "description": "Fail with 409 unless the document still has this version; 0: unless nobody has written it.",
     "minimum": 0
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "documentType",
    "content"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "get_settings",
  "operation": "get-settings",
  "description": "Read a vault's settings as they are in force.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "update_settings",
  "operation": "update-settings",
  "description": "Change a vault's settings. What is left out stays; null goes back to the default.",
  "effect": "write",
  "scopes": [
   "admin"
  ],
  "inVault": true,
  "inputSchema": {
   "type": "object",
   "properties": {
    "settings": {
     "type": "object",
     "description": "The settings to change.",
     "properties": {
      "threshold": {
       "type": "number",
       "description": "Least similarity of a semantic match in search-memories and search-and-read. Default: 0.4.",
       "nullable": true,
       "minimum": 0,
       "maximum": 1
      },
      "decayHalfLife": {
       "type": "integer",
       "description": "Days after which the small bonus of recent memories halves. Default: 30.",
       "nullable": true,
       "minimum": 1,
       "maximum": 365
      },
      "diversity": {
       "type": "number",
       "description": "How far search-memories avoids similar results. Default: 0.7.",
       "nullable": true,
       "minimum": 0,
       "maximum": 1
      },
      "dedup": {
       "type": "object",
       "description": "When a write counts as a duplicate.",
       "nullable": true,
       "properties": {
        "nearDuplicate": {
         "type": "number",
         "description": "Whether a text counts as a duplicate that says the same in other words: below 1 it does, whatever the number; at 1 it does not. Default: 0.85.",
         "nullable": true,
         "minimum": 0,
         "maximum": 1
        },
        "semanticDuplicate": {
         "type": "number",
         "description": "Likeness of meaning from which one does; at 1 none does. Default: 0.95.",
         "nullable": true,
         "minimum": 0,
         "maximum": 1
        },
        "supersede": {
         "type": "number",
         "description": "Likeness from which a newer text about the same entity replaces the older one; at 1 none does. Default: 0.88.",
         "nullable": true,
         "minimum": 0,
         "maximum": 1
        }
       }
      },
      "signalThreshold": {
       "type": "integer",
       "description": "Score from which ingest-turn looks for memories in a turn. Default: 3.",
       "nullable": true,
       "minimum": 0,
       "maximum": 10
      },
      "customSignalKeywords": {
       "type": "array",
       "description": "Words of your own that ingest-turn takes as signals. Default: [].",
       "nullable": true,
       "maxItems": 50,
       "items": {
        "type": "string"
       }
      },
      "extraction": {
       "type": "string",
       "description": "What makes memories of turns: nothing, rules, or the language model that the operator has configured. Default: rules.",
       "enum": [
        "off",
        "rules",
        "llm"
       ],
       "nullable": true
      },
      "defaultMode": {
       "type": "string",
       "description": "Mode of session-start where the caller names none. Default: default.",
       "enum": [
        "default",
        "planning",
        "incident",
        "handoff",
        "deep",
        "minimal",
        "none"
       ],
       "nullable": true
      },
      "sessionProfiles": {
       "type": "object",
       "description": "Numbers and documents of your own for modes of session-start.",
       "nullable": true,
       "properties": {
        "default": {
         "type": "object",
         "description": "Of the mode default; null: as it was shipped.",
         "nullable": true,
         "properties": {
          "maxEpisodic": {
           "type": "integer",
           "description": "Episodic memories, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxFacts": {
           "type": "integer",
           "description": "Facts, preferences, skills and corrections, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "maxTasks": {
           "type": "integer",
           "description": "Tasks, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxConstraints": {
           "type": "integer",
           "description": "Constraints, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "includeDocuments": {
           "type": "array",
           "description": "Documents.",
           "nullable": true,
           "maxItems": 4,
           "items": {
            "type": "string",
            "enum": [
             "soul",
             "instructions",
             "skills",
             "checks"
            ]
           }
          }
         }
        },
        "planning": {
         "type": "object",
         "description": "Of the mode planning; null: as it was shipped.",
         "nullable": true,
         "properties": {
          "maxEpisodic": {
           "type": "integer",
           "description": "Episodic memories, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxFacts": {
           "type": "integer",
           "description": "Facts, preferences, skills and corrections, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "maxTasks": {
           "type": "integer",
           "description": "Tasks, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxConstraints": {
           "type": "integer",
           "description": "Constraints, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "includeDocuments": {
           "type": "array",
           "description": "Documents.",
           "nullable": true,
           "maxItems": 4,
           "items": {
            "type": "string",
            "enum": [
             "soul",
             "instructions",
             "skills",
             "checks"
            ]
           }
          }
         }
        },
        "incident": {
         "type": "object",
         "description": "Of the mode incident; null: as it was shipped.",
         "nullable": true,
         "properties": {
          "maxEpisodic": {
           "type": "integer",
           "description": "Episodic memories, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxFacts": {
           "type": "integer",
           "description": "Facts, preferences, skills and corrections, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "maxTasks": {
           "type": "integer",
           "description": "Tasks, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxConstraints": {
           "type": "integer",
           "description": "Constraints, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "includeDocuments": {
           "type": "array",
           "description": "Documents.",
           "nullable": true,
           "maxItems": 4,
           "items": {
            "type": "string",
            "enum": [
             "soul",
             "instructions",
             "skills",
             "checks"
            ]
           }
          }
         }
        },
        "handoff": {
         "type": "object",
         "description": "Of the mode handoff; null: as it was shipped.",
         "nullable": true,
         "properties": {
          "maxEpisodic": {
           "type": "integer",
           "description": "Episodic memories, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxFacts": {
           "type": "integer",
           "description": "Facts, preferences, skills and corrections, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "maxTasks": {
           "type": "integer",
           "description": "Tasks, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxConstraints": {
           "type": "integer",
           "description": "Constraints, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "includeDocuments": {
           "type": "array",
           "description": "Documents.",
           "nullable": true,
           "maxItems": 4,
           "items": {
            "type": "string",
            "enum": [
             "soul",
             "instructions",
             "skills",
             "checks"
            ]
           }
          }
         }
        },
        "deep": {
         "type": "object",
         "description": "Of the mode deep; null: as it was shipped.",
         "nullable": true,
         "properties": {
          "maxEpisodic": {
           "type": "integer",
           "description": "Episodic memories, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxFacts": {
           "type": "integer",
           "description": "Facts, preferences, skills and corrections, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "maxTasks": {
           "type": "integer",
           "description": "Tasks, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxConstraints": {
           "type": "integer",
           "description": "Constraints, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "includeDocuments": {
           "type": "array",
           "description": "Documents.",
           "nullable": true,
           "maxItems": 4,
           "items": {
            "type": "string",
            "enum": [
             "soul",
             "instructions",
             "skills",
             "checks"
            ]
           }
          }
         }
        },
        "minimal": {
         "type": "object",
         "description": "Of the mode minimal; null: as it was shipped.",
         "nullable": true,
         "properties": {
          "maxEpisodic": {
           "type": "integer",
           "description": "Episodic memories, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxFacts": {
           "type": "integer",
           "description": "Facts, preferences, skills and corrections, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "maxTasks": {
           "type": "integer",
           "description": "Tasks, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxConstraints": {
           "type": "integer",
           "description": "Constraints, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "includeDocuments": {
           "type": "array",
           "description": "Documents.",
           "nullable": true,
           "maxItems": 4,
           "items": {
            "type": "string",
            "enum": [
             "soul",
             "instructions",
             "skills",
             "checks"
            ]
           }
          }
         }
        },
        "none": {
         "type": "object",
         "description": "Of the mode none; null: as it was shipped.",
         "nullable": true,
         "properties": {
          "maxEpisodic": {
           "type": "integer",
           "description": "Episodic memories, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxFacts": {
           "type": "integer",
           "description": "Facts, preferences, skills and corrections, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "maxTasks": {
           "type": "integer",
           "description": "Tasks, 0 to 10.",
           "nullable": true,
           "minimum": 0,
           "maximum": 10
          },
          "maxConstraints": {
           "type": "integer",
           "description": "Constraints, 0 to 20.",
           "nullable": true,
           "minimum": 0,
           "maximum": 20
          },
          "includeDocuments": {
           "type": "array",
           "description": "Documents.",
           "nullable": true,
           "maxItems": 4,
           "items": {
            "type": "string",
            "enum": [
             "soul",
             "instructions",
             "skills",
             "checks"
            ]
           }
          }
         }
        }
       }
      },
      "retention": {
       "type": "object",
       "description": "What is deleted for good after a time.",
       "nullable": true,
       "properties": {
        "turnsDays": {
         "type": "integer",
         "description": "Days after which conversation turns are deleted. Default: never.",
         "nullable": true,
         "minimum": 1,
         "maximum": 3650
        },
        "archivedDays": {
         "type": "integer",
         "description": "Days after which archived memories are deleted for good. Default: never.",
         "nullable": true,
         "minimum": 1,
         "maximum": 3650
        },
        "messagesDays": {
         "type": "integer",
         "description": "Days after which messages are deleted. Default: never.",
         "nullable": true,
         "minimum": 1,
         "maximum": 3650
        }
       }
      }
     }
    },
    "expectedVersion": {
     "type": "integer",
     "description": "Fail with 409 unless the record still has this version.",
     "minimum": 1
    },
    "vaultId": {
     "type": "string",
     "description": "The vault to work in, by name or id."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "settings"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "create_vault",
  "operation": "create-vault",
  "description": "Create a vault: a separate space for memories with a key of its own.",
  "effect": "write",
  "scopes": [
   "write"
  ],
  "inVault": false,
  "inputSchema": {
   "type": "object",
   "properties": {
    "name": {
     "type": "string",
     "description": "Name of the vault, 1 to 200 characters."
    },
    "description": {
     "type": "string",
     "description": "What the vault is for, at most 2,000 characters."
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "required": [
    "name"
   ],
   "additionalProperties": false
  }
 },
 {
  "name": "list_vaults",
  "operation": "list-vaults",
  "description": "List the vaults that this key can read, with counts, the default vault first.",
  "effect": "read",
  "scopes": [
   "read"
  ],
  "inVault": false,
  "inputSchema": {
   "type": "object",
   "properties": {
    "limit": {
     "type": "integer",
     "description": "How many to return, 1 to 100.",
     "default": 20,
     "minimum": 1,
     "maximum": 100
    },
    "offset": {
     "type": "integer",
     "description": "How many to skip.",
     "default": 0,
     "minimum": 0
    },
    "agentId": {
     "type": "string",
     "description": "Identifier of the calling agent. Default: the integration's."
    },
    "agentRunId": {
     "type": "string",
     "description": "Session or run that groups operations. Default: the X-Agent-Run-Id header."
    },
    "modelId": {
     "type": "string",
     "description": "Name of the model in use."
    }
   },
   "additionalProperties": false
  }
 },
 {
  "name": "info",
  "operation": "info",
  "description": "Who this key is and what it may do. Needs no scope.",
  "effect": "read",
  "scopes": [],
  "inVault": false,
  "inputSchema": {
   "type": "object",
   "properties": {},
   "additionalProperties": false
  }
 }
]
