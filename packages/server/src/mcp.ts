#!/usr/bin/env node
// The program of the package @holdfast/mcp: `holdfast mcp`, without the server and the other commands.
import { Command } from 'commander'
import { CommandError } from './cli/exit-codes.ts'
import { addMcpCommand } from './cli/mcp-command.ts'
import { version } from './core/program.ts'

const program = new Command('holdfast-mcp').version(version)
addMcpCommand(program)
const args = process.argv.slice(2)
try {
  await program.parseAsync(args[0] === '--version' ? args : ['mcp', ...args], { from: 'user' })
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  process.stderr.write(`${[error.message, error.next].filter(Boolean).join('\n')}\n`)
  process.exitCode = error.exitCode
}
