#!/usr/bin/env node
// The program of the package @holdfast/mcp: `holdfast mcp`, without the server and the other commands.
import { Command } from 'commander'
import { CommandError } from './cli/exit-codes.ts'
import { serveMcp } from './cli/mcp-command.ts'
import { version } from './core/program.ts'

try {
  await serveMcp(new Command('holdfast-mcp').version(version)).parseAsync(process.argv)
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  process.stderr.write(`${[error.message, error.next].filter(Boolean).join('\n')}\n`)
  process.exitCode = error.exitCode
}
