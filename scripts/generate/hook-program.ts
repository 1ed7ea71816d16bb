import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Bundles the hooks into one file that needs only Node, because plugins are copied out of the checkout. */
export async function printHookProgram(root: string): Promise<Record<string, string>> {
  const bundle = await rolldown({
    input: join(root, 'packages/hosts/src/hook/hook-program.ts'),
    platform: 'node',
    // Otherwise, the output contains paths that depend on the location of the checkout.
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
