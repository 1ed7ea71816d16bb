import { hookEvents, runHook } from '@holdfast/hosts/hook/run-hook'
import type { Command } from 'commander'
import { withExamples } from './options.ts'

/** For its help, and for events that do not exist: the others are run before any command line is read. */
export function addHookCommand(program: Command): void {
  const command = program
    .command('hook <event>')
    .description('hand an agent its memory at an event of its program, which calls this')
    .addHelpText(
      'after',
      `
Events: ${Object.keys(hookEvents).join(', ')}.
It reads what the program writes on stdin, prints what that expects, and always
ends with 0: memory that is away costs the agent one line on stderr a session.
HOLDFAST_HOOKS=0 or "hooks": false in .holdfast.json switches hooks off.`,
    )
    .action((event: string) => runHook([event], process))
  withExamples(command, 'hook session-start < event.json')
}
