import { ServiceError } from '../core/errors.ts'
import { CellError } from '../crypto/cell.ts'

/** Whether a record was not given because it does not open, or because its row is lost: trying again is of no use. */
export const isDamage = (error: unknown): boolean =>
  error instanceof CellError || (error instanceof ServiceError && error.code === 'unavailable')
