import { audiences, exampleVariables, printCurl } from '../../packages/server/src/api/how-to-call.ts'
import {
  listFields,
  type Field,
  describeContracts,
  type Contract,
  type JsonSchema,
} from '../../packages/server/src/api/contracts.ts'
import { errorTexts } from '../../packages/server/src/api/openapi.ts'
import type { Route } from '../../packages/server/src/operation/operation.ts'
import { printTable } from './markdown-table.ts'

/** Prints docs/api/operations.md: a section per operation, for people and agents who read. */
export function printOperationsPage(routes: readonly Route[]): string {
  const { contracts, components } = describeContracts(routes)
  const groups = audiences.flatMap((audience) => {
    const own = contracts.filter(({ operation }) => operation.audience === audience.name)
    return own.length === 0 ? [] : [{ ...audience, contracts: own }]
  })
  const contents = groups.flatMap(({ title, contracts: own }) => [
    `- ${title}`,
    ...own.map(({ operation: { name, summary } }) => `  - [${name}](#${name}): ${summary}`),
  ])
  return [
    '<!-- Written by `npm run generate`; do not edit. -->',
    '# Operations',
    introduction,
    contents.join('\n'),
    '## Errors',
    errors,
    printTable(
      ['Status', 'Meaning'],
      Object.entries(errorTexts).map(([status, text]) => [status, `${text}.`]),
    ),
    ...groups.flatMap(({ title, credential, contracts: own }) => [
      `## ${title}`,
      credential,
      ...own.map(printOperation),
    ]),
    '## Records',
    ...Object.entries(components).map(([name, schema]) => printRecord(name, schema)),
  ]
    .join('\n\n')
    .concat('\n')
}

const introduction = `Every operation with its input, its output and an example. The same contracts are available as an OpenAPI document:
[openapi.json](openapi.json), or \`/openapi.json\` on a running server.

The examples use shell variables. Each section says which credential its operations need:

\`\`\`sh
${exampleVariables}
\`\`\`

Unknown input fields are ignored, and the response names up to ten of them in the header \`X-Ignored-Fields\`; \`holdfast doctor\` says for which operations that happened. \`null\` for an optional field means that it was left out, unless its description says
otherwise. Later versions may add fields to answers.`

const errors = `Error responses contain \`{ "error": string, "fields"?: { [path]: string }, "retryAfter"?: seconds }\`. Every response has an
\`X-Request-Id\` header, which identifies the line in the server's log. 429 and 503 have a \`Retry-After\` header.`

function printOperation({ operation, input, output }: Contract): string {
  const { name, method, path, summary, audience, scopes, created, examples } = operation
  const needs = audience === 'agent' ? [`Scopes: ${scopes.length === 0 ? 'none' : scopes.join(', ')}.`] : []
  return [
    `### ${name}`,
    `\`${method} ${path}\``,
    [summary, ...needs].join(' '),
    printFields('Input', inputColumns, listFields(input)),
    printFields('Output', outputColumns, listFields(output)),
    `\`\`\`sh\n${printCurl(operation)}\n\`\`\``,
    `Answers ${created?.(examples.output) === true ? 201 : 200}:`,
    `\`\`\`json\n${JSON.stringify(examples.output, null, 2)}\n\`\`\``,
  ].join('\n\n')
}

const printRecord = (name: string, schema: JsonSchema) =>
  [`### Record: ${name}`, printFields('Field', outputColumns, listFields(schema))].join('\n\n')

type Column = readonly [title: string, cell: (field: Field) => string]

const inputColumns: readonly Column[] = [
  ['Type', ({ type }) => printType(type)],
  ['Limits', ({ limits }) => limits],
  ['Default', ({ isRequired, preset }) => (isRequired ? 'required' : preset)],
  ['Description', ({ description }) => description],
]

const outputColumns: readonly Column[] = [
  ['Type', ({ type, isRequired }) => (isRequired ? printType(type) : `${printType(type)}, optional`)],
  ['Description', ({ description }) => description],
]

const printType = (type: Field['type']) =>
  type
    .map((part) => (typeof part === 'string' ? part : `[${part.record}](#record-${part.record.toLowerCase()})`))
    .join('')

function printFields(title: string, columns: readonly Column[], fields: readonly Field[]): string {
  if (fields.length === 0) return `${title}: none.`
  return printTable(
    [title, ...columns.map(([heading]) => heading)],
    fields.map((field) => [`\`${field.path}\``, ...columns.map(([, cell]) => cell(field))]),
  )
}
