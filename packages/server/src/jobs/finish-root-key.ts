import { finishRootKey } from '../accounts/root-key.ts'
import type { Services } from '../operation/context.ts'
import type { Job } from './scheduler.ts'

const everyMs = 3_600_000

/** Goes on with a change of the root key that a crash or a stop has cut short. Items: wrapped keys. */
export const finishRootKeyChange = (services: Services): Job => ({
  name: 'finish-root-key',
  everyMs,
  async run(signal, done) {
    await finishRootKey(services, { signal, ...(done !== undefined && { done }) })
  },
})
