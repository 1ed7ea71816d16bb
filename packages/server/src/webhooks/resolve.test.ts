import { describe, expect, it } from 'vitest'
import { createResolve } from './vet-url.ts'

describe('the addresses of a name', () => {
  it("come from this machine's own names if those are allowed", async () => {
    const addresses = await createResolve({ usesSystem: true })('localhost')
    expect(['127.0.0.1', '::1']).toContain(addresses[0])
  })

  it('are empty for an unknown name', async () => {
    for (const usesSystem of [false, true])
      await expect(createResolve({ usesSystem })('nobody.invalid')).rejects.toThrow(/./)
  })
})
