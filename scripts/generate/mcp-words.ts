import { presetScopes } from '../../packages/server/src/auth/vault-access.ts'
import { toolsets } from '../../packages/server/src/operation/operation.ts'
import { relationTypes } from '../../packages/server/src/links/relation-types.ts'

/** Prints the values from the contract that the MCP server needs. */
export const printWords = (): string => `// Written by \`npm run generate\` from the server; do not edit.

/** The relations of links. */
export const relationTypes = [
${relationTypes.map((type) => `  '${type}',`).join('\n')}
] as const

/** The toolsets of the operations' tools. */
export const toolsets = [
${toolsets.map((name) => `  '${name}',`).join('\n')}
] as const

/** The scopes of a key, by the preset of its integration or vault. */
export const presetScopes: Readonly<Record<string, readonly string[]>> = {
${Object.entries(presetScopes)
  .map(([preset, scopes]) => `  ${preset}: [${scopes.map((scope) => `'${scope}'`).join(', ')}],`)
  .join('\n')}
}
`
