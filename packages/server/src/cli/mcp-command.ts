import { defaultUrl } from '@holdfast/client'
import { parseToolsets, SwitchError, type Switches } from '@holdfast/mcp/switches'
import { toolsetNames } from '@holdfast/mcp/toolsets'
import type { Command } from 'commander'
import { readAgent } from '../config.ts'
import { version } from '../core/program.ts'
import { clientFor, readAgentSettings } from './agent-client.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

interface McpOptions {
  url?: string
  vault?: string
  tools?: string
  readonly?: true
  structured?: true
}

export const addMcpCommand = (program: Command): Command => serveMcp(program.command('mcp'))

/** Makes a command serve MCP: `holdfast mcp`, or a program of its own. */
export const serveMcp = (command: Command): Command =>
  command
    .description('serve the Model Context Protocol on stdin and stdout, for an agent')
    .option('--url <url>', `the server (default: HOLDFAST_URL, ${defaultUrl})`)
    .option('--vault <name or id>', 'vault to use (default: the one in .holdfast.json)')
    .option('--tools <sets>', 'toolsets, comma-separated (default: HOLDFAST_TOOLS, core)')
    .option('--readonly', 'offer only tools that read')
    .option('--structured', 'add JSON to text answers')
    .addHelpText(
      'after',
      `
The agent key is read from HOLDFAST_KEY. Toolsets:
  ${toolsetNames.slice(0, 6).join(', ')},
  ${toolsetNames.slice(6).join(', ')}

Example, as an agent's client starts it:
  HOLDFAST_KEY=svc_... holdfast mcp --vault app`,
    )
    .action(async (options: McpOptions) => {
      const { url, key, vault } = readAgentSettings(options)
      if (key === undefined) say('HOLDFAST_KEY is not set: every tool call will fail.')
      // Refuse a bad key before the protocol starts.
      if (key !== undefined) clientFor({ url, key })
      // Loaded here so that other commands start faster.
      const { serveBridge } = await import('@holdfast/mcp/stdio')
      await serveBridge({
        url,
        key,
        switches: switchesOf(options, options.tools ?? readAgent().tools, vault),
        version,
      })
    })

function switchesOf(options: McpOptions, tools: string | undefined, vault: string | undefined): Switches {
  try {
    return {
      toolsets: parseToolsets(tools),
      isReadOnly: options.readonly === true,
      vault,
      isStructured: options.structured === true,
    }
  } catch (error) {
    if (error instanceof SwitchError) throw new CommandError(exitCodes.usage, error.message)
    throw error
  }
}

// stdout belongs to the protocol.
const say = (text: string) => process.stderr.write(`${text}\n`)
