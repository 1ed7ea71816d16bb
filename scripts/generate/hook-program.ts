import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Plugins are copied away from their checkout, so each holds its hooks as one file that needs nothing but Node. */
export async function printHookProgram(root: string): Promise<Record<string, string>> {
  const bundle = await rolldown({
    input: join(root, 'packages/hosts/src/hook/hook-program.ts'),
    platform: 'node',
    // Else each part is headed by its path, which depends on where the checkout lies.
    experimental: { attachDebugInfo: 'none' },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    comments: false,
    banner: '// Written by `npm run generate` from packages/hosts; do not edit.',
  })
  const [{ code }] = output
  const text = code.endsWith('\n') ? code : `${code}\n`
  return { 'integrations/claude-code/hook.mjs': text, 'integrations/codex/hook.mjs': text }
}
