import { runHook } from './run-hook.ts'

// The hooks of a plugin: this and what it imports are bundled into one file, since a plugin is copied away from its checkout.
await runHook(process.argv.slice(2), process)
