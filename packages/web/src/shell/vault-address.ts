import type { LocationRewrite, SearchMiddleware } from '@tanstack/react-router'
import { createContext } from 'react'

/** `/v/`, the id of a vault, and the path of a page. */
const prefix = /^\/v\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(\/.*)?$/

/**
 * The address of a page names the vault that it shows: `/v/<vaultId>/memories`. To the router, this is `/memories?vaultId=<vaultId>`,
 * so a link only names the page and leads to it in the same vault. A link to another vault adds `vaultId` to its search.
 */
export const vaultRewrite: LocationRewrite = {
  input({ url }) {
    const [, vaultId, path] = prefix.exec(url.pathname) ?? []
    if (vaultId === undefined) return undefined
    url.pathname = path ?? '/'
    url.searchParams.set('vaultId', vaultId)
    return url
  },
  output({ url }) {
    const vaultId = url.searchParams.get('vaultId')
    if (vaultId === null) return undefined
    url.searchParams.delete('vaultId')
    url.pathname = `${addressOf(vaultId)}${url.pathname === '/' ? '' : url.pathname}`
    return url
  },
}

export const addressOf = (vaultId: string) => `/v/${vaultId}`

/** The address of the vault that is shown. Below it, paths lead to its pages. Empty where the address names no vault. */
export const AddressContext = createContext('')

interface Known {
  /** The vault of pages whose address names none. */
  current: () => string | undefined
  /** Whether the person has no such vault. False while that isn't known. */
  isMissing: (vaultId: string) => boolean
}

/** Keeps links in the vault that is shown. From one that the person doesn't have, links lead to the current one. */
export const keepVault =
  ({ current, isMissing }: Known): SearchMiddleware<{ vaultId?: string }> =>
  ({ search, next }) => {
    const target = next(search)
    const shown = search.vaultId === undefined || isMissing(search.vaultId) ? undefined : search.vaultId
    const vaultId = target.vaultId ?? shown ?? current()
    return vaultId === undefined ? target : { ...target, vaultId }
  }

/** The page of the same kind that every vault has: the list of an open record. */
export const pageOfKind = (pathname: string): string => `/${pathname.split('/')[1] ?? ''}`
