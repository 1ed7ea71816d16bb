import { operationTools } from './generated/operation-tools.ts'
import type { Switches } from './switches.ts'
import type { Tool } from './tool.ts'
import { fetchItem, search } from './tools/chatgpt.ts'
import { addLink, exploreGraph } from './tools/graph.ts'
import { archiveMemory, updateMemory, writeMemory } from './tools/memories.ts'
import { ackMessage, readMessages, sendMessage } from './tools/messages.ts'
import { saveNote } from './tools/notes.ts'
import { fullTools } from './tools/operations.ts'
import { readItems } from './tools/read.ts'
import { searchMemories } from './tools/search.ts'
import { contextCheckpoint, sessionStart } from './tools/session.ts'
import { listTasks, saveTask } from './tools/tasks.ts'

/** The tools for everyday work, few enough that hosts do not hide them. */
export const coreTools: readonly Tool[] = [
  sessionStart,
  searchMemories,
  readItems,
  writeMemory,
  updateMemory,
  archiveMemory,
  listTasks,
  saveTask,
  saveNote,
  exploreGraph,
  addLink,
  readMessages,
  sendMessage,
  ackMessage,
  contextCheckpoint,
]

const chatgptTools: readonly Tool[] = [search, fetchItem]

/** Returns the tools of a toolset, in a fixed order. */
export function listToolset(toolset: string): readonly Tool[] {
  if (toolset === 'core') return coreTools
  if (toolset === 'full') return fullTools
  if (toolset === 'chatgpt') return chatgptTools
  return fullTools.filter((_, at) => operationTools[at]?.toolset === toolset)
}

/** Returns the tools that a connection selects. If two toolsets have a tool of the same name, the first one counts. */
export function selectTools({ toolsets, isReadOnly }: Switches): readonly Tool[] {
  const chosen = new Map<string, Tool>()
  for (const tool of toolsets.flatMap(listToolset)) if (!chosen.has(tool.name)) chosen.set(tool.name, tool)
  return [...chosen.values()].filter(({ effect }) => !isReadOnly || effect === 'read')
}

/** Finds a tool by name, first among the selected tools, then among all: hosts that load tools late call unlisted names. */
export function findTool(name: string, switches: Switches): Tool | undefined {
  const all = [...selectTools({ ...switches, isReadOnly: false }), ...coreTools, ...fullTools, ...chatgptTools]
  return all.find((tool) => tool.name === name)
}

export const toolNames = (): string[] => [...new Set([...coreTools, ...fullTools].map(({ name }) => name))]
