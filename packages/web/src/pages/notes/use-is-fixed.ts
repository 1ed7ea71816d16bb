import type { Note } from '@holdfast/client/dashboard'
import { useMay } from '../../shell/role.ts'

/** Whether the person can only read the note: it is in the trash, or the vault is someone else's and they are a viewer. */
export function useIsFixed({ status }: Pick<Note, 'status'>): boolean {
  const mayEdit = useMay('editor')
  return status === 'trashed' || !mayEdit
}
