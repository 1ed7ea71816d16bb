// Which tests are left to CI and `npm run test:long`: `npm test` runs the others.

/** The command line and what else runs as a process of its own: hooks, MCP over stdio, examples of the README, the bootstrap script. */
export const commands = [
  'packages/server/src/cli/*.test.ts',
  'packages/server/test/{plugins,mcp/agent-sessions,mcp/stdio}.test.ts',
  'packages/client/test/readme.test.ts',
  'scripts/{bootstrap.test.mjs,audit.test.ts}',
]

export const crashes = ['packages/server/test/crash/*.test.ts']

/** Work that takes long, and measurements over a whole set: a quarter of the time of all tests in one process, a twentieth of their number. */
export const background = [
  'packages/server/src/{backups,jobs,rotation}/*.test.ts',
  'packages/server/test/{search-quality,transfer}/*.test.ts',
  'packages/server/test/{dedup-pairs,embeddings,fuzz,live,registry.changes}.test.ts',
]
