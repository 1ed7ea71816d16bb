// What became of an attack: looks at everything another agent reads afterwards.

import { hasHidden } from '@holdfast/transfer/text/hidden-characters'
import { contextText, type SessionStartOutput } from '@holdfast/client'
import type { Attack, Body, Outcome, Scene, View } from './attack.ts'
import type { Ended, World } from './world.ts'

/** What became of it, and what is wrong, if anything. */
export interface Verdict {
  outcome: Outcome
  problems: string[]
}

export async function judge(world: World, attack: Attack, ended: Ended): Promise<Verdict> {
  const problems = await runChecks(ended)
  const seen = new Set<'own' | 'data'>()
  for (const view of attack.seenIn ?? (['context', 'search'] as const)) {
    const found = await look(world, view, ended.scene, !attack.ends.includes('shown as data'))
    problems.push(...found.problems.map((problem) => `${view}: ${problem}`))
    if (found.seen !== undefined) seen.add(found.seen)
  }
  for (const one of ended.kept) {
    if (!(await isKept(ended, one))) problems.push(`the text of the person is gone from the ${one.kind}`)
  }
  const isRefused = ended.answers.at(-1)?.isRefused === true
  if (isRefused && seen.size > 0) problems.push('it was refused and is seen nevertheless')
  return { outcome: outcomeOf(isRefused, ended.kept.length > 0, seen), problems }
}

function outcomeOf(isRefused: boolean, isProtected: boolean, seen: ReadonlySet<'own' | 'data'>): Outcome {
  if (isRefused) return 'rejected'
  if (isProtected) return "the person's text is kept"
  if (seen.has('data')) return 'shown as data'
  return seen.has('own') ? 'shown as its own words' : 'not shown'
}

async function runChecks({ checks }: Ended): Promise<string[]> {
  const found = await Promise.all(checks.map((check) => check()))
  return found.filter((problem) => problem !== undefined)
}

interface Look {
  seen: 'own' | 'data' | undefined
  problems: string[]
}

/** Whether the mark is seen in this view, and whether everything around it says who wrote it. */
async function look(world: World, view: View, { mark, vaultId }: Scene, isNamed: boolean): Promise<Look> {
  const { operation, body, tool } = views[view](mark)
  const { readerTools, reader } = world
  const place = operation === 'list-vaults' ? {} : { vaultId }
  if (readerTools !== undefined) {
    const name = tool ?? operation.replaceAll('-', '_')
    const asked = tool === undefined ? { ...place, ...body } : { vault: vaultId, ...body }
    return lookAtText(await readerTools.say(name, asked), mark, isNamed)
  }
  const { status, body: answer, text } = await reader.call(operation, { ...place, ...body })
  if (status !== 200) return { seen: undefined, problems: [`${status} ${text}`] }
  const printed =
    view === 'context' ? lookAtText(contextText(answer as unknown as SessionStartOutput), mark, isNamed) : undefined
  const found = lookAtJson(answer, mark, isNamed ? world.malloryIds : undefined)
  return { seen: printed?.seen ?? found.seen, problems: [...found.problems, ...(printed?.problems ?? [])] }
}

interface Asked {
  operation: string
  body: Body
  /** The MCP tool that agents use, if it isn't the operation's own. */
  tool?: string
}

const views: Readonly<Record<View, (mark: string) => Asked>> = {
  context: () => ({ operation: 'session-start', body: {}, tool: 'session_start' }),
  search: (query) => ({ operation: 'search-memories', body: { query }, tool: 'search_memories' }),
  messages: () => ({ operation: 'read-messages', body: { status: 'all' }, tool: 'read_messages' }),
  tasks: () => ({ operation: 'list-tasks', body: {}, tool: 'list_tasks' }),
  notes: () => ({ operation: 'list-notes', body: {} }),
  agents: () => ({ operation: 'list-active-agents', body: {} }),
  folders: () => ({ operation: 'list-folders', body: {} }),
  vaults: () => ({ operation: 'list-vaults', body: { limit: 100 } }),
  checks: () => ({ operation: 'read-document', body: { documentType: 'checks' } }),
  links: () => ({ operation: 'list-tasks', body: {} }),
}

/** Of an answer as text: where the mark stands, who is named next to it, and whether the marks of Holdfast are whole. */
export function lookAtText(text: string, mark: string, isNamed: boolean): Look {
  const problems = [...checkMarks(text), ...checkNames(text)]
  if (!text.includes(mark)) return { seen: undefined, problems }
  const inside = /<holdfast-recall-(\w{12})[^>]*>\n?([^]*)<\/holdfast-recall-\1>/.exec(text)?.[2] ?? ''
  const outside = text.replace(inside, '')
  const loose = outside.split('\n').filter((line) => line.includes(mark))
  // Outside the marks only names of vaults may stand, each on the line of its own.
  const wrong = loose.filter((line) => isNamed && !/^[a-z_ ·]*\bvaults?: /.test(line))
  problems.push(...wrong.map((line) => `outside the marks: ${line}`))
  const lines = inside.split('\n')
  const forged = lines.filter((line, at) => line.includes(mark) && isNamed && !isAttributed(lines, at, mark))
  problems.push(...forged.map((line) => `not under the name of its author: ${line}`))
  return { seen: isNamed ? 'own' : 'data', problems }
}

/** Our marks and headings appear once each, and nothing else looks like them. */
function checkMarks(text: string): string[] {
  const headings: string[] = text.match(/^## .*$/gm) ?? []
  const marks = text.match(/[<﹤＜][\s/]*h[o0ο]ldf[^>]*>?/giu) ?? []
  const boundary = /<holdfast-recall-(\w{12})/.exec(text)?.[1] ?? 'none'
  const ours = new RegExp(`^</?holdfast-(recall|item|document)-${boundary}[ >]`)
  const strange = marks.filter((mark) => !ours.test(mark))
  const ends = marks.filter((mark) => mark.startsWith('</holdfast-recall')).length
  return [
    ...strange.map((mark) => `a forged mark: ${mark}`),
    ...headings.filter((heading, at) => headings.indexOf(heading) < at).map((heading) => `another ${heading}`),
    ...(boundary === 'none' || ends === 1 ? [] : [`${ends} ends of the marks`]),
  ]
}

/** Where names stand next to what Holdfast says: stamps, attributes, and lines of a record. */
const besideNames = [
  /^- \[[^\]\n]*\]/gm,
  /^- \[[a-z]+:[0-9a-f-]{36}\] [^·\n]*·/gm,
  /\b(?:by|from|changedBy|vault|to|folder|tags|entities)="[^"\n]*"/g,
  /^\s*(?:- )?(?:agentId|keyLabel|label|name|folderPath|tags|entities): .*$/gm,
]

function checkNames(text: string): string[] {
  const found = besideNames.flatMap((pattern): string[] => text.match(pattern) ?? [])
  return found.filter((one) => hasHidden(one)).map((one) => `hidden characters: ${JSON.stringify(one)}`)
}

/** Names in quotes may contain anything except quotes and line ends. */
const hostileName = String.raw`(?:mallory[-\d]*|(?:"[^"]*"|[^\s",()\]]+) \(key: Mallory\))`
const listedBefore = new RegExp(
  String.raw`^(?:- )?\[[a-z]+:[0-9a-f-]{36}\] [^·]*\b(?:by|from) (?:[^·]*changed by )?${hostileName}(?: via [^·]*)? ·`,
)
const stampedBefore = new RegExp(
  String.raw`^- \[[a-z]+ [a-z:]*[0-9a-f-]{36}, [^"\]]*\b(?:by|changed by) ${hostileName}\] `,
)
// Why a task waits, with the author of the reason.
const reasonBefore = new RegExp(String.raw`; blocked by ${hostileName}: [^;]*$`)
const namedItem = /^<holdfast-(?:item|document)-\w{12} [^>]*(?:by|from|changedBy)="[^"]*mallory/i

/** By the line itself, before the text, or by the item around it. */
function isAttributed(lines: readonly string[], at: number, mark: string): boolean {
  const line = lines[at] ?? ''
  const before = line.slice(0, line.indexOf(mark))
  if (listedBefore.test(before) || stampedBefore.test(before) || reasonBefore.test(before)) return true
  const opened = lines.slice(0, at + 1).findLast((one) => /^<\/?holdfast-(item|document)-/.test(one))
  if (opened !== undefined && namedItem.test(opened)) return true
  // A record in lines `name: value`, which begins with the name of its agent.
  return /^\s*- agentId: mallory/.test(lines.slice(0, at).findLast((one) => /^\s*- \w+:/.test(one)) ?? '')
}

/** Of an answer as JSON: each record with the mark names the integration of the hostile agent as its author, sender or last writer. */
function lookAtJson(answer: unknown, mark: string, author: readonly string[] | undefined): Look {
  const problems: string[] = []
  let isSeen = false
  const visit = (value: unknown, record: Body | undefined): void => {
    if (typeof value === 'string' && value.includes(mark)) {
      isSeen = true
      if (author !== undefined && !isNamedIn(record, author))
        problems.push(`not under the name of its author: ${JSON.stringify(record)}`)
    }
    if (typeof value !== 'object' || value === null) return
    const inner = namesWriters(value) ? (value as Body) : record
    for (const [key, one] of Object.entries(value)) {
      visit(key, inner)
      // Metadata is what the writer sent, whatever it claims.
      if (key === 'metadata') visit(JSON.stringify(one), inner)
      // Anyone who works on a task can say why it waits, so the reason names its own author.
      else if (key === 'blockedReason') visit(one, { changedBy: (value as Body)['blockedBy'] })
      else visit(one, inner)
    }
  }
  visit(answer, undefined)
  return { seen: !isSeen ? undefined : author === undefined ? 'data' : 'own', problems }
}

const namesWriters = (value: object) =>
  ['source', 'sentBy', 'changedBy', 'agentId'].some((field) => Object.hasOwn(value, field))

const isMallory = (name: unknown) => typeof name === 'string' && name.startsWith('mallory')

/** Sessions name the agent only. */
function isNamedIn(record: Body | undefined, author: readonly string[]): boolean {
  if (record === undefined) return false
  const { source, sentBy, changedBy, agentId, senderType, trust } = record
  const trusts = [trust, (source as Body | null | undefined)?.trust]
  if (senderType === 'user' || trusts.includes('user_authored')) return false
  const written = [source, sentBy, changedBy] as (Body | null | undefined)[]
  if (isMallory(agentId)) return true
  // Under another name, the record has to say whose key it was. Only what lists versions knows just the integration.
  return written.some(
    (one) =>
      one?.keyLabel === 'Mallory' ||
      one?.changedByKeyLabel === 'Mallory' ||
      isMallory(one?.agentId) ||
      isMallory(one?.changedBy) ||
      (one?.label === 'Mallory' && author.includes(String(one.integrationId))),
  )
}

/** Whether the record still has the text of the person, or keeps it as a former one. */
async function isKept({ scene }: Ended, { kind, id, text }: Ended['kept'][number]): Promise<boolean> {
  const all = { limit: 100 }
  const read = {
    memory: async () => [
      await scene.reader('read-memories', { memoryIds: [id] }),
      await scene.person('read-memory-history', { id, ...all }),
    ],
    note: async () => [
      await scene.reader('read-note', { noteId: id }),
      await readVersions(scene, 'read-note-versions', { id }),
    ],
    document: async () => [
      await scene.reader('read-document', { documentType: id }),
      await readVersions(scene, 'read-document-versions', { documentType: id }),
    ],
  }[kind]
  return JSON.stringify(await read()).includes(text)
}

/** The lists have no texts: reads the oldest versions, of which one is the person's. */
async function readVersions(scene: Ended['scene'], operation: string, record: Body): Promise<Body[]> {
  const { versions } = await scene.person(operation, { ...record, limit: 100 })
  const oldest = (versions as { version: number }[]).map(({ version }) => version).slice(-3)
  return Promise.all(oldest.map((version) => scene.person(operation, { ...record, version })))
}
