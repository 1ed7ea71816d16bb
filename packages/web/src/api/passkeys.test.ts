import { afterEach, describe, expect, it, vi } from 'vitest'
import { findObstacle } from './passkeys.ts'

afterEach(() => vi.unstubAllGlobals())

describe('findObstacle', () => {
  const openedAt = (address: string) => vi.stubGlobal('location', new URL(address))

  it('leads to localhost only from the server’s own machine', () => {
    openedAt('http://127.0.0.1:8420/login')
    expect(findObstacle('http://localhost:8420')).toBe('elsewhere')
    openedAt('http://192.168.1.20:8420/login')
    expect(findObstacle('http://localhost:8420')).toBe('no-name')
    expect(findObstacle('https://memory.example.org')).toBe('elsewhere')
  })
})
