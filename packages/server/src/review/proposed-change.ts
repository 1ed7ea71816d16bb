import type { VaultScope } from '../crypto/keys.ts'
import type { MemoryDraft } from '../memories/create-memory.ts'
import type { MemoryUpdate } from '../memories/update-memory.ts'
import type { NoteUpdate } from '../notes/update-note.ts'
import type { Proposal } from '../proposals/store.ts'
import { textTagOf } from '../proposals/propose.ts'
import type { AskedRecord } from '../proposals/permit.ts'
import type { TaskUpdate } from '../tasks/update-task.ts'

/** What each operation that can be proposed was called with. It was validated before it was stored. */
export type ProposedCall =
  | { operation: 'write-memory'; input: Omit<MemoryDraft, 'origin'> & { supersededById: string } }
  | { operation: 'update-memory'; input: MemoryUpdate }
  | { operation: 'archive-memory'; input: { memoryId: string; reason?: string } }
  | { operation: 'update-task'; input: TaskUpdate }
  | { operation: 'update-note'; input: NoteUpdate }
  | { operation: 'delete-note'; input: { noteId: string } }

export const callOf = ({ operation, input }: Proposal): ProposedCall => ({ operation, input }) as ProposedCall

/** Whether the record has another text than when the change was proposed. */
export const isOutdated = (scope: VaultScope, proposal: Proposal, { text }: AskedRecord): boolean =>
  textTagOf(scope, text) !== proposal.textTag
