import { describe, expect, it } from 'vitest'
import { keepVault, pageOfKind, vaultRewrite } from './vault-address.ts'

const id = '0198c5f0-0000-7000-8000-000000000001'
const origin = 'http://localhost:8420'

function rewrite(way: 'input' | 'output', address: string): string {
  const url = new URL(address, origin)
  const rewritten = vaultRewrite[way]?.({ url }) ?? url
  return String(rewritten).slice(origin.length)
}

describe('the address of a vault’s page', () => {
  it.each([
    [`/v/${id}`, `/?vaultId=${id}`],
    [`/v/${id}/memories`, `/memories?vaultId=${id}`],
    [`/v/${id}/memories/m?q=boat#top`, `/memories/m?q=boat&vaultId=${id}#top`],
  ])('%s is %s to the router, and back', (address, inside) => {
    expect(rewrite('input', address)).toBe(inside)
    expect(rewrite('output', inside)).toBe(address)
  })

  it.each(['/settings/account?x=1', '/v', '/v/', '/v/7/memories', '/vaults'])(
    '%s names no vault and stays unchanged',
    (address) => {
      expect(rewrite('input', address)).toBe(rewrite('output', address))
      expect(rewrite('input', address)).not.toContain('vaultId')
    },
  )

  it.each([
    ['stays in the vault that is shown', 'mine', {}, 'mine'],
    ['leads to the vault that it names', 'mine', { vaultId: 'other' }, 'other'],
    ['leads from a vault that the person does not have to the current one', 'foreign', {}, 'current'],
    ['keeps even such a vault if it names it', 'foreign', { vaultId: 'foreign' }, 'foreign'],
    ['leads to the current one if none is shown', undefined, {}, 'current'],
  ])('a link %s', (_, shown, target, vaultId) => {
    const middleware = keepVault({ current: () => 'current', isMissing: (shownId) => shownId === 'foreign' })
    const search = shown === undefined ? {} : { vaultId: shown }
    expect(middleware({ search, next: () => target })).toEqual({ vaultId })
  })

  it('opens the list in another vault when a record is open', () => {
    expect(['/', '/memories', '/memories/m', '/documents/all/soul'].map(pageOfKind)).toEqual([
      '/',
      '/memories',
      '/memories',
      '/documents',
    ])
  })
})
