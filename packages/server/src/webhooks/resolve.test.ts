import { describe, expect, it } from 'vitest'
import { createResolve } from './vet-url.ts'

describe('the addresses of a name', () => {
  it("come from this machine's own names where those may be used", async () => {
    const addresses = await createResolve({ usesSystem: true })('localhost')
    expect(['127.0.0.1', '::1']).toContain(addresses[0])
  })

  it('are none for a name that nobody has', async () => {
    for (const usesSystem of [false, true])
      await expect(createResolve({ usesSystem })('nobody.invalid')).rejects.toThrow(/./)
  })
})
