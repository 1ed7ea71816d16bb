import { presetScopes } from '../../packages/server/src/auth/vault-access.ts'
import { relationTypes } from '../../packages/server/src/links/relation-types.ts'

/** The words of the contract that the MCP server needs as values. */
export const printWords = (): string => `// Written by \`npm run generate\` from the server; do not edit.

/** What a link says. */
export const relationTypes = [
${relationTypes.map((type) => `  '${type}',`).join('\n')}
] as const

/** What a key may do, by the preset of its integration or vault. */
export const presetScopes: Readonly<Record<string, readonly string[]>> = {
${Object.entries(presetScopes)
  .map(([preset, scopes]) => `  ${preset}: [${scopes.map((scope) => `'${scope}'`).join(', ')}],`)
  .join('\n')}
}
`
