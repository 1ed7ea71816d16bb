import { capitalize } from '../../components/text/first-words.ts'
import { formatCount, formatDay } from '../../components/text/time-text.ts'

/** At the beginning of a text: a file or a model, whose case matters. */
const isPath = /^\S*\//

/** What a system check found, for people. The command line shows the same texts, with dates and counts for programs. */
export const describeCheck = (text: string): string =>
  (isPath.test(text) ? text : capitalize(text))
    .replace(/(?<![\w/-])(\d{4}-\d{2}-\d{2})(?:T[\d:.]+Z)?(?![\w-])/g, (_, day: string) =>
      formatDay(`${day}T12:00:00Z`),
    )
    .replace(/(?<= )\d{4,}(?= records)/g, (count) => formatCount(Number(count)))
