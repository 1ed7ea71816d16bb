import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'

interface Shown {
  name: string
  command: Command
  help: string
}

/** The help of a command and its subcommands, as shown on a terminal of 80 columns. */
function showHelp(command: Command, path = ''): Shown[] {
  const name = `${path} ${command.name()}`.trim()
  let help = ''
  command.configureOutput({
    writeOut: (text) => (help += text),
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  return [{ name, command, help }, ...command.commands.flatMap((inner) => showHelp(inner, name))]
}

const all = showHelp(await createProgram(false))
const leaves = all.filter(({ command }) => command.commands.length === 0)

describe('the help', () => {
  it('exists for every command', () => {
    expect(leaves.length).toBeGreaterThan(18)
    expect(all[0]?.help.split('\n').filter((line) => /^ {2}\w/.test(line)).length).toBeGreaterThan(18)
  })

  it.each(all.map(({ name, help }) => [name, help]))('of %s fits 80 columns', (_name, help) => {
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(help).not.toMatch(/[ \t]\n|\n\n\n/)
  })

  it.each(leaves.map(({ name, command, help }) => [name, command, help] as const))(
    'of %s describes it and each option, with an example',
    (_name, command, help) => {
      expect(command.description()).toMatch(/^[a-z].{10,}/)
      for (const option of command.options)
        expect([option.flags, option.description]).toEqual([option.flags, expect.stringMatching(/.{8,}/)])
      expect(help).toMatch(/\nExamples?(?:, [^\n]+)?:\n {2}\S/)
    },
  )
})
