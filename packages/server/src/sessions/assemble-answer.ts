import { clipText } from '../text/clip-summary.ts'
import { describeDocument, describeMemory, describeMessage, describeTask } from './entries.ts'
import { type Budget, fitBudget, type Frame, type Lists, type Section } from './fit-budget.ts'
import type { Parts, SessionRequest, VaultEntry } from './gather-parts.ts'
import { type SectionName, sectionOrder, shares } from './profiles.ts'

/** Builds the answer of session-start: as many parts as fit, the most valuable first. Pure. */
export function assembleAnswer(request: SessionRequest, parts: Parts) {
  const sections = describeSections(request, parts)
  return fitBudget(
    request.maxResponseChars,
    framesOf(request, parts),
    sectionOrder(request.mode).map((name) => ({ name, share: shares[name], ...sections[name] })),
  )
}

function describeSections(
  { mode, summaryOnly, at: now }: SessionRequest,
  parts: Parts,
): Record<SectionName, Omit<Section, 'name' | 'share'>> {
  const isWhole = !summaryOnly
  const { integrations } = parts
  const { lastSummary } = parts.episodic
  const messages = parts.pending?.messages ?? []
  return {
    constraints: { entries: parts.constraints.map((memory) => describeMemory(memory, { now, isWhole, integrations })) },
    tasks: { entries: parts.tasks.map(({ memory, state }) => describeTask(memory, state, { now, integrations })) },
    pendingMessages: {
      entries: (mode === 'incident' ? alertsFirst(messages) : messages).map((message) =>
        describeMessage(message, { now, isWhole }),
      ),
      total: mode === 'none' ? 0 : parts.pending?.total,
    },
    documents: {
      entries: parts.documents.map((document) => describeDocument(document)),
      cut: (entry, roomChars) => cutContent(entry as { content: string }, roomChars),
    },
    vaults: { entries: parts.vaults.listed, total: Math.max(parts.vaults.total, parts.vaults.listed.length) },
    recentAgents: { entries: parts.recentAgents },
    episodic: {
      entries: parts.episodic.episodes.map((memory) =>
        describeMemory(memory, { now, isWhole: isWhole || memory === lastSummary, integrations }),
      ),
      cut: (entry) =>
        lastSummary !== undefined && 'memoryId' in entry && entry.memoryId === lastSummary.memoryId
          ? describeMemory(lastSummary, { now, isWhole: false, integrations })
          : undefined,
    },
    facts: { entries: parts.facts.map((memory) => describeMemory(memory, { now, isWhole, integrations })) },
  }
}

const alertsFirst = <T extends { category: string }>(messages: readonly T[]): T[] => [
  ...messages.filter(({ category }) => category === 'alert'),
  ...messages.filter(({ category }) => category !== 'alert'),
]

const briefNameChars = 40

/** The longest form first. Names and run ids can be long, and up to six times longer in JSON. */
function framesOf(request: SessionRequest, parts: Parts): Frame<ReturnType<typeof frame>>[] {
  const brief = { ...parts, vault: parts.vault && briefVault(parts.vault), changes: undefined }
  const bare = { ...brief, degraded: parts.degraded.map(({ part }) => ({ part, reason: '' })) }
  return [
    (lists, budget) => frame(request, parts, lists, budget),
    (lists, budget) => frame(request, brief, lists, budget),
    (lists, budget) => frame({ ...request, agentRunId: null }, bare, lists, budget),
  ]
}

const briefVault = (vault: VaultEntry): VaultEntry => ({ ...vault, name: clipText(vault.name, briefNameChars) })

type Framed = Omit<SessionRequest, 'agentRunId'> & { agentRunId: string | null }

function frame(request: Framed, { vault, pending, changes, degraded }: Parts, lists: Lists, budget: Budget) {
  // `describeSections` decides what each list contains. The budget doesn't preserve the contract's types.
  const list = (name: SectionName) => (lists[name] ?? []) as never[]
  return {
    sessionContext: {
      mode: request.mode,
      vault: vault === undefined ? { vaultId: request.vaultId, name: null } : { ...vault },
      episodic: list('episodic'),
      facts: list('facts'),
      tasks: list('tasks'),
      constraints: list('constraints'),
    },
    vaults: list('vaults'),
    recentAgents: list('recentAgents'),
    documents: list('documents'),
    pendingMessages: list('pendingMessages'),
    pendingCount: pending?.total ?? null,
    changesSinceLastSession: changes ?? null,
    agentRunId: request.agentRunId,
    budget: { ...budget },
    degraded: degraded.map((part) => ({ ...part })),
  }
}

/** A shorter piece of a document isn't useful. */
const minChars = 100

export const cutMark = '\n… [cut: read-document gives all of it]'

/** Cuts the entry's content and adds a mark, so the entry's JSON has at most `roomChars` characters. */
export function cutContent<T extends { content: string }>(entry: T, roomChars: number): T | undefined {
  const of = (chars: number): T => ({
    ...entry,
    content: `${clipText(entry.content, chars)}${cutMark}`,
    truncated: true,
  })
  const fits = (chars: number) => JSON.stringify(of(chars)).length <= roomChars
  if (!fits(minChars)) return undefined
  // A character takes one to six characters in JSON, so the number that fits is found by bisection.
  let [fitting, failing] = [minChars, Math.min(entry.content.length, roomChars)]
  while (failing - fitting > 1) {
    const middle = Math.floor((fitting + failing) / 2)
    if (fits(middle)) fitting = middle
    else failing = middle
  }
  return of(fitting)
}
