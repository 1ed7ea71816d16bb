import type { Memory } from '@holdfast/client/dashboard'
import { Anchor, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { nameOfAuthor } from '../../components/records/agent-names.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Moment, useNow } from '../../components/text/moment.tsx'
import { countOf, formatAgo, formatDay, formatMoment } from '../../components/text/time-text.ts'
import { RecordId } from '../../components/records/record-id.tsx'
import { nameWriter } from '../../components/records/writers.ts'
import { SourceTurn } from './source-turn.tsx'

/** Where a memory comes from, and its dates and ids. */
export function MemoryProvenance({ memory }: { memory: Memory }) {
  const { metadata } = memory
  const facts = factsOf(memory).filter(([, value]) => value !== null && value !== undefined)
  return (
    <section>
      <Title order={3} mb="xs">
        Origin
      </Title>
      <FactList facts={facts} />
      {Object.keys(metadata).length > 0 && (
        <CodeBlock label="Metadata" isWrapped code={JSON.stringify(metadata, undefined, 2)} />
      )}
    </section>
  )
}

function factsOf(memory: Memory): (readonly [string, ReactNode])[] {
  const { agentId, agentRunId, modelId, changedBy, occurredAt, createdAt, updatedAt, version } = memory
  const turnId = turnIdOf(memory)
  return [
    [
      'Written by',
      agentId === null ? (
        nameOfAuthor(memory)
      ) : (
        <FilterLink key="agent" search={{ agent: agentId }}>
          {nameOfAuthor(memory)}
        </FilterLink>
      ),
    ],
    ['Source', describeSource(memory)],
    ['Changed by', changedBy === null ? null : <ChangedBy key="changed-by" changedBy={changedBy} />],
    ['Model', modelId],
    [
      'Run',
      agentRunId === null ? null : (
        <FilterLink key="run" search={{ run: agentRunId, state: 'all' }}>
          {agentRunId}
        </FilterLink>
      ),
    ],
    [
      'Conversation turn',
      turnId === undefined ? null : <SourceTurn key="turn" vaultId={memory.vaultId} turnId={turnId} />,
    ],
    ['Reason', memory.writeReason],
    ['Source notes', memory.sourceNoteIds.length === 0 ? null : countOf(memory.sourceNoteIds.length, 'note')],
    ['Stored', <Stored key="stored" at={createdAt} />],
    ['Occurred', occurredAt === createdAt ? null : <Moment key="occurred" at={occurredAt} />],
    ['Updated', version === 1 ? null : <Changed key="changed" at={updatedAt} times={version - 1} />],
    ['Recalled', <Recalled key="recalled" memory={memory} />],
    ['Expires', memory.expiresAt === null ? null : <Moment key="expires" at={memory.expiresAt} />],
    ['Archived', memory.archivedAt === null ? null : <Archived key="archived" memory={memory} />],
    ['Id', <RecordId key="id" id={memory.id} />],
    // A checkpoint's own id says nothing.
    ['External id', memory.source.route === 'context-checkpoint' ? null : memory.externalWriteId],
  ]
}

/** Id of the conversation turn that the memory was extracted from. */
function turnIdOf({ source, metadata: { turnId } }: Memory): string | undefined {
  return source.route === 'ingest-turn' && typeof turnId === 'string' ? turnId : undefined
}

function describeSource({ source: { trust, route, integrationId } }: Memory): string {
  const writers = {
    user_authored: 'Only people',
    imported: 'Imported: the author is a claim',
    agent_authored: integrationId === null ? 'A person and agents' : 'An agent',
  }[trust]
  return route === 'context-checkpoint' ? `${writers}, in a checkpoint` : writers
}

function ChangedBy({ changedBy }: { changedBy: NonNullable<Memory['changedBy']> }) {
  return (
    <>
      {nameWriter(changedBy)}, <Moment at={changedBy.at} />
    </>
  )
}

function Stored({ at }: { at: string }) {
  const ago = formatAgo(at, useNow())
  const exact = formatMoment(at)
  // Long ago is already a date.
  return <time dateTime={at}>{ago === formatDay(at) ? exact : `${ago} · ${exact}`}</time>
}

function Changed({ at, times }: { at: string; times: number }) {
  return (
    <>
      {countOf(times, 'time')}, last <Moment at={at} />
    </>
  )
}

function Recalled({ memory: { accessCount, lastAccessedAt } }: { memory: Memory }) {
  if (accessCount === 0) return 'Never'
  return (
    <>
      {countOf(accessCount, 'time')}
      {lastAccessedAt !== null && (
        <>
          , last <Moment at={lastAccessedAt} />
        </>
      )}
    </>
  )
}

function Archived({ memory: { archivedAt, archiveReason } }: { memory: Memory }) {
  return (
    <>
      <Moment at={archivedAt} />
      {archiveReason !== null && archiveReason !== '' && `: ${archiveReason}`}
    </>
  )
}

/** A link to the list of memories with a filter. */
function FilterLink({ search, children }: { search: Record<string, string>; children: string }) {
  return <Anchor renderRoot={(props) => <Link {...props} to="/memories" search={search} />}>{children}</Anchor>
}
