import { asvs } from '../../packages/server/test/promises/asvs/asvs.ts'
import type { Answer, Chapter, Requirement } from '../../packages/server/test/promises/asvs/requirement.ts'
import type { Proof } from '../../packages/server/test/promises/proof.ts'
import { printTable } from './markdown-table.ts'

const states = ['met', 'not met', 'not applicable'] as const

/** Prints docs/asvs.md: how Holdfast answers each requirement of levels 1 and 2. */
export function printAsvsPage(): string {
  const all = asvs.flatMap(({ requirements }) => Object.entries(requirements))
  const counts = asvs.map((chapter) => [
    `[${chapter.id}](#${chapter.id.toLowerCase()})`,
    chapter.name,
    ...count(chapter),
  ])
  const unmet = all.filter(([, { answer }]) => answer.state === 'not met')
  return `<!-- Written by \`npm run generate\`; do not edit. -->

# OWASP ASVS 5.0, levels 1 and 2

How Holdfast answers each of the ${all.length} requirements of levels 1 and 2 of the [OWASP Application Security Verification Standard 5.0.0](https://owasp.org/www-project-application-security-verification-standard/).
We wrote these answers ourselves, from the code; no one else has verified them. The names are ours, so read the standard for what a requirement says exactly.

- **Met** means in full, and names the tests that show it, or the place in the code or documentation.
- **Not met** also means met in part: it says what is missing and what reduces the risk. Level 1 comes first below.
- **Not applicable** means that nothing here does what the requirement is about.

A test checks that no requirement is missing and that each named test exists. [SECURITY.md](../SECURITY.md) is the threat model, [promises.md](promises.md) has what the tests measure.

${printTable(['Chapter', '', ...states.map((state) => `${state[0]?.toUpperCase()}${state.slice(1)}`)], [...counts, ['', 'All', ...total()]])}

## Not met

${printTable(
  ['Requirement', 'Level', 'Asks that', 'Missing'],
  unmet
    .toSorted(([, a], [, b]) => a.level - b.level)
    .map(([number, { level, name, answer }]) => [`V${number}`, String(level), name, answer.why]),
)}

${asvs.map(printChapter).join('\n\n')}
`
}

const count = ({ requirements }: Pick<Chapter, 'requirements'>) => countStates(Object.values(requirements))

const countStates = (requirements: readonly Requirement[]): string[] =>
  states.map((state) => String(requirements.filter(({ answer }) => answer.state === state).length))

const total = () => countStates(asvs.flatMap(({ requirements }) => Object.values(requirements)))

function printChapter({ id, name, requirements }: Chapter): string {
  const rows = Object.entries(requirements).map(([number, requirement]) => [
    `V${number}`,
    String(requirement.level),
    requirement.name,
    printAnswer(requirement.answer),
  ])
  return `## ${id}\n\n${name}.\n\n${printTable(['Requirement', 'Level', 'Asks that', 'Answer'], rows)}`
}

function printAnswer(answer: Answer): string {
  const bold = `**${answer.state}**`
  if (answer.state === 'not applicable') return `${bold}: ${answer.why}`
  const why = answer.state === 'met' ? answer.why : `${answer.why} Instead: ${answer.instead}`
  return [`${bold}: ${why}`, ...answer.evidence.map(printEvidence)].join('<br>')
}

function printEvidence(evidence: Proof | string): string {
  if (typeof evidence !== 'string') return `“${escapeBold(evidence.test)}” (\`${evidence.file}\`)`
  const [path = '', anchor] = evidence.split('#')
  if (!path.endsWith('.md')) return `\`${path}\``
  const target = path.startsWith('docs/') ? path.slice('docs/'.length) : `../${path}`
  return `[${path}${anchor === undefined ? '' : `, ${anchor.replaceAll('-', ' ')}`}](${target}${anchor === undefined ? '' : `#${anchor}`})`
}

/** A title such as "treats __proto__ like any other key". */
const escapeBold = (title: string) => title.replaceAll('__', String.raw`\_\_`)
