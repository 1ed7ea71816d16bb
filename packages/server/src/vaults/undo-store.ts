import { invalid } from '../core/errors.ts'
import { asSealed, CellError, openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'

/**
 * What it takes to undo a person's decision, sealed and handed to the page that made it: nothing is stored for decisions that are never
 * undone, and nobody can make up what to undo.
 */
export const sealUndo = (scope: VaultScope, undo: object): string =>
  Buffer.from(sealJson(scope.keys, 'content', address(scope), undo)).toString('base64url')

export function openUndo(scope: VaultScope, token: string): unknown {
  try {
    return openJson(scope.keys, 'content', address(scope), asSealed(Buffer.from(token, 'base64url')))
  } catch (error) {
    if (error instanceof CellError) throw invalid({ undo: 'is not from a decision in this vault' })
    throw error
  }
}

const address = ({ id, userId }: VaultScope): CellAddress => ({
  userId,
  scopeId: id,
  table: 'reviewDecisions',
  rowId: id,
  column: 'undo',
  revision: 1,
})
