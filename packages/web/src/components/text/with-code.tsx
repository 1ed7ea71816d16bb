import { Code } from '@mantine/core'

/** Shows text between backticks as code, such as commands in texts that the command line shows, too. */
export const withCode = (text: string) =>
  text.split(/(`[^`]*`)/).map((part) => (part.startsWith('`') ? <Code key={part}>{part.slice(1, -1)}</Code> : part))
