import { runHook } from './run-hook.ts'

// The entry of the plugins' hooks. It is bundled into one file, because a plugin is copied out of the checkout.
await runHook(process.argv.slice(2), process)
