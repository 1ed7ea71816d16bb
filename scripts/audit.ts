import { root } from './checks.ts'
import { acceptedAdvisories, findOverdue } from './dependencies/advisories.ts'
import { askAdvisories, type Advisory } from './dependencies/ask-advisories.ts'

// Checks all dependencies, including tools, for known vulnerabilities. Exits with 0 if there are no serious ones, with 1 if there are, and with 3
// if the registry couldn't be asked: then nobody knows, and a caller that goes on does so on purpose.

const notAsked = 3

const answer = await askAdvisories(root)
if ('notAsked' in answer) {
  console.error(
    `WARNING: dependencies were not checked for known vulnerabilities. The registry said: ${answer.notAsked}`,
  )
  process.exit(notAsked)
}
const { advisories } = answer
const overdue = findOverdue(advisories, acceptedAdvisories)
const describe = ({ severity, name, range, title, url }: Advisory) =>
  `${severity.padEnd(9)} ${name} ${range}: ${title}\n          ${url}`
if (advisories.length > 0) console.log(advisories.map(describe).join('\n'))
console.log(
  `${advisories.length} known vulnerabilities, ${overdue.length} of them serious and not accepted within the last week`,
)
if (overdue.length > 0) {
  console.error(
    `Update: ${[...new Set(overdue.map(({ name }) => name))].join(', ')}. Or see scripts/dependencies/advisories.ts.`,
  )
  process.exit(1)
}
