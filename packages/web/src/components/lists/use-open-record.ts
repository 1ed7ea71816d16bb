import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { use, useMemo } from 'react'
import { describeUrl, useUrlState, type Changes } from '../../shell/url-state.ts'
import { useMay } from '../../shell/role.ts'
import { AddressContext } from '../../shell/vault-address.ts'

type Path = '/memories' | '/tasks' | '/messages' | '/agents'

const panelUrl = describeUrl({
  /** The record's form is shown in its place. */
  edit: false,
  /** The record takes the place of the list. */
  full: false,
})

/** The record in the URL `<path>/<id>`, and the ways to open others. All keep the list's filters and its place. */
export interface OpenRecord {
  id: string | undefined
  isEditing: boolean
  isFull: boolean
  open: (id: string, isFull?: boolean) => void
  edit: (id: string) => void
  /** Opens the next or previous record. Back then still leads to the list. */
  walk: (id: string) => void
  showFull: () => void
  endEdit: () => void
  close: () => void
}

export function useOpenRecord(path: Path, param: 'memoryId' | 'taskId' | 'threadId' | 'integrationId'): OpenRecord {
  const params: Partial<Record<string, string>> = useParams({ strict: false })
  const id = params[param]
  const navigate = useNavigate()
  const [{ edit, full: isFull }] = useUrlState(panelUrl)
  // Anyone can open a link to a form.
  const isEditing = useMay('editor') && edit
  // Stable functions, so that rows that didn't change don't render again.
  const to = useMemo(() => {
    const go = (place: string, changes: Changes<typeof panelUrl.defaults>, replace = false) =>
      void navigate({
        to: place,
        replace,
        resetScroll: false,
        search: (previous: Record<string, unknown>) => panelUrl.write(previous, changes),
      } as Parameters<typeof navigate>[0])
    return {
      open: (next: string, opensFull = false) =>
        go(`${path}/${next}`, { edit: false, ...(opensFull && { full: true }) }),
      edit: (next: string) => go(`${path}/${next}`, { edit: true }),
      walk: (next: string) => go(`${path}/${next}`, { edit: false }, true),
      showFull: () => go('.', { full: true }),
      endEdit: () => go('.', { edit: false }, true),
      close: () => go(path, { edit: false, full: false }),
    }
  }, [navigate, path])
  return { id, isEditing, isFull, ...to }
}

/**
 * The addresses of the links to a list's records; `isOpen` as in `searchOfRow`. Links of the router would each compute their own again at
 * every navigation.
 */
export function useAddresses(list: string): (id: string, isOpen: boolean) => string {
  const vault = use(AddressContext)
  const { stringifySearch } = useRouter().options
  const { vaultId: _, ...search }: Record<string, unknown> = useSearch({ strict: false })
  const ends = new Map([true, false].map((isOpen) => [isOpen, stringifySearch(searchOfRow(isOpen)(search))]))
  return (id, isOpen) => `${vault}/${list}/${id}${ends.get(isOpen)}`
}

/** The search of a link to a record in a list: a second Enter on an open record shows it on the full page. */
export const searchOfRow = (isOpen: boolean) => (previous: Record<string, unknown>) =>
  panelUrl.write(previous, { edit: false, full: isOpen })
