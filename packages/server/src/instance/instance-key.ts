import type { KeyObject } from 'node:crypto'
import { scopeKeys, type ScopeKeys } from '../crypto/keys.ts'

/**
 * The keys that are derived from the instance key, by generation. A new generation is new keys for all that is sealed from then on,
 * without a new instance key: so a key never seals too much, and nothing has to be sealed again. It doesn't help if the instance key
 * leaked.
 */
export interface InstanceKeys extends ScopeKeys {
  /** The same keys, counting what they seal. `counterOf`: what to call before each cell under a generation. */
  countingWith(counterOf: CounterOf): InstanceKeys
  /** The same keys with another generation sealing. */
  sealingWith(generation: number): InstanceKeys
}

type CounterOf = (generation: number) => () => void

export function instanceKeys(
  instanceId: string,
  key: KeyObject,
  current: number,
  counterOf: CounterOf = () => () => {},
): InstanceKeys {
  // One more than the current one: another server may already seal with it.
  const generations = Array.from({ length: current + 1 }, (_, at) => ({ generation: at + 1, key }))
  return {
    ...scopeKeys(instanceId, generations, current, counterOf(current)),
    countingWith: (counter) => instanceKeys(instanceId, key, current, counter),
    sealingWith: (generation) => instanceKeys(instanceId, key, generation, counterOf),
  }
}
