import type { QueryClient } from '@tanstack/react-query'
import type { OperationName } from '../../api/operations.ts'

/** What is no longer true once a note has changed. */
const noteReads: ReadonlySet<unknown> = new Set<OperationName>([
  'browse-notes',
  'browse-folders',
  'read-backlinks',
  'read-mentions',
  'read-note-versions',
  'get-links',
  'read-graph',
  'suggest-tags',
  'browse-vaults',
])

/** `known`: a note whose own text is known already. */
export const refreshNotes = (client: QueryClient, known?: string) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [name, , input] }) =>
      noteReads.has(name) && (known === undefined || name !== 'browse-notes' || idIn(input) !== known),
  })

const idIn = (input: unknown) => (input as { id?: string } | undefined)?.id
