import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from '@modelcontextprotocol/server'
import { callTool, type Caller } from './call-tool.ts'
import { oneLine } from './render/one-line.ts'
import type { Tool } from './tool.ts'
import { searchMemories } from './tools/search.ts'
import { sessionContext } from './tools/session.ts'

/** A prompt that a person starts by name, usually as a slash command: an instruction with relevant memories. */
interface OwnPrompt extends Prompt {
  messages(args: Readonly<Record<string, string>>, ask: Ask): Promise<string>
}

/** Calls a tool and returns its answer or error. */
type Ask = (tool: Tool, args: Readonly<Record<string, unknown>>) => Promise<string>

const argument = (name: string, description: string, required: boolean) => ({ name, description, required })

export const prompts: readonly OwnPrompt[] = [
  {
    name: 'recall',
    title: 'Recall a topic',
    description: 'Show what is known about a topic.',
    arguments: [argument('topic', 'What to recall.', true)],
    messages: async ({ topic = '' }, ask) =>
      `Tell me what we know about: ${oneLine(topic)}\nUse the results below. read_items returns full texts; search_memories with other words may find more. Name the age and source of what you rely on, and say what is missing or contradictory.\n\n${await ask(searchMemories, { query: topic, limit: 15 })}`,
  },
  {
    name: 'checkpoint',
    title: 'Save the session',
    description: 'Save what this session learned.',
    arguments: [],
    messages: async () =>
      'Save this session with context_checkpoint now: a summary of what was done, decided and left open, and a memory for each preference, constraint, decision (with its reason), fix and correction that will matter later. One idea each, self-contained. Leave out secrets, logs, and what is in the repository. Update the status of tasks that changed with save_task. Then tell me in a few lines what you saved.',
  },
  {
    name: 'handoff',
    title: 'Hand over to another agent',
    description: 'Save the state of the work and notify another agent.',
    arguments: [argument('agent', 'Id of the agent that continues. Without it, any agent.', false)],
    messages: async ({ agent }, ask) =>
      `Hand this work over${agent === undefined ? '' : ` to the agent "${oneLine(agent, 100)}"`}. Do it in this order: save_task for each task whose status changed (with doneWhen, and blockedReason if it is blocked); context_checkpoint with a summary that lets someone new continue (goal, state, next step, pitfalls); ${agent === undefined ? 'then tell me what you saved.' : `then send_message to "${oneLine(agent, 100)}" with category task, naming the tasks and memories by id.`}\n\nThis is the current memory:\n\n${await ask(sessionContext, { mode: 'handoff' })}`,
  },
  {
    name: 'incident',
    title: 'Work on an incident',
    description: 'Find what helps with something broken.',
    arguments: [argument('problem', 'What is wrong.', true)],
    messages: async ({ problem = '' }, ask) =>
      `Something is broken: ${oneLine(problem)}\nThe memory is below. First look for earlier incidents of this kind, constraints that apply while you fix it, and messages of category alert. Say what you will try before you try it. When it is solved, save it with write_memory as a skill: symptom, cause, fix.\n\n${await ask(sessionContext, { mode: 'incident', query: problem })}`,
  },
  {
    name: 'retrospective',
    title: 'Look back',
    description: 'Learn from earlier sessions.',
    arguments: [argument('topic', 'What to look back on. Without it, the latest work.', false)],
    messages: async ({ topic }, ask) =>
      `Look back on ${topic === undefined ? 'the latest sessions' : oneLine(topic)}. From the results below: what went well, what went wrong more than once, which decisions turned out wrong. Propose at most five lessons, each as one memory (skill, constraint or correction) with the ids that it is based on. Save the ones I approve with write_memory.\n\n${await (topic === undefined ? ask(sessionContext, { mode: 'incident', maxEpisodic: 10, maxFacts: 20, maxConstraints: 0 }) : ask(searchMemories, { query: topic, memoryTypes: ['episodic', 'correction', 'skill'], limit: 20 }))}`,
  },
  {
    name: 'review_memories',
    title: 'Review memories',
    description: 'Find outdated, duplicate or contradictory memories.',
    arguments: [argument('topic', 'What to review. Without it, facts and preferences in general.', false)],
    messages: async ({ topic }, ask) =>
      `Review these memories${topic === undefined ? '' : ` about ${oneLine(topic)}`}. List the ones that are outdated, duplicates, or contradict each other, with ids and your proposal: archive_memory, update_memory, or write_memory with supersedes. Change nothing before I agree.\n\n${await (topic === undefined ? ask(sessionContext, { mode: 'deep', maxEpisodic: 0, maxFacts: 20, maxTasks: 0, maxConstraints: 20 }) : ask(searchMemories, { query: topic, in: 'memories', limit: 30 }))}`,
  },
]

export const findPrompt = (name: string) => prompts.find((prompt) => prompt.name === name)

export async function printPrompt(
  prompt: OwnPrompt,
  args: Readonly<Record<string, string>>,
  caller: Caller,
  signal: AbortSignal,
): Promise<GetPromptResult> {
  for (const { name, required } of prompt.arguments ?? [])
    if (required === true && (args[name] ?? '').trim() === '')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${prompt.name}: ${name} is required`)
  const ask: Ask = async (tool, given) => (await callTool(tool, given, caller, signal)).text
  const text = await prompt.messages(args, ask)
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}
