import type { KeyObject } from 'node:crypto'
import { scopeKeys, type ScopeKeys } from '../crypto/keys.ts'

/**
 * The keys that are derived from the instance key, by generation. A new generation is new keys for all that is sealed from then on,
 * without a new instance key: so a key never seals too much, and nothing has to be sealed again. It doesn't help if the instance key
 * leaked.
 */
export interface InstanceKeys extends ScopeKeys {
  /** How many cells this process has sealed with the current generation since it was last asked. */
  takeSeals(): number
  /** The same keys with another generation sealing. */
  sealingWith(generation: number): InstanceKeys
}

export function instanceKeys(instanceId: string, key: KeyObject, current: number): InstanceKeys {
  // One more than the current one: another server may already seal with it.
  const generations = Array.from({ length: current + 1 }, (_, at) => ({ generation: at + 1, key }))
  let seals = 0
  return {
    ...scopeKeys(instanceId, generations, current, () => void seals++),
    takeSeals() {
      const taken = seals
      seals = 0
      return taken
    },
    sealingWith: (generation) => instanceKeys(instanceId, key, generation),
  }
}
