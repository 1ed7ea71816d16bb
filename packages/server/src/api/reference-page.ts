import { sha256 } from '../crypto/hash.ts'
import type { Route } from '../operation/operation.ts'
import { audiences, exampleVariables, printCurl } from './how-to-call.ts'
import { listFields, type Field, describeContracts, type Contract, type JsonSchema } from './contracts.ts'
import { errorTexts, operationIdOf } from './openapi.ts'

/** The reference as one self-contained page: no scripts, no fonts, no requests. */
export function printReferencePage(routes: readonly Route[], version: string): string {
  const { contracts, components } = describeContracts(routes)
  const groups = audiences.flatMap((audience) => {
    const own = contracts.filter(({ operation }) => operation.audience === audience.name)
    return own.length === 0 ? [] : [{ ...audience, contracts: own }]
  })
  const links = groups.map(({ title, contracts: own }) => {
    const items = own.map(({ operation }) => `<li><a href="#${operationIdOf(operation)}">${operation.name}</a></li>`)
    return `<h2>${title}</h2><ul>${items.join('')}</ul>`
  })
  const sections = groups.map(
    ({ title, credential, contracts: own }) =>
      `<h2>${title}</h2><p>${printProse(credential)}</p>${own.map(printOperation).join('')}`,
  )
  const records = Object.entries(components).map(([name, schema]) => printRecord(name, schema))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Holdfast API</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Operations"><p><strong>Holdfast API</strong> ${escapeHtml(version)}</p>
<p><a href="/openapi.json">openapi.json</a> · <a href="/llms.txt">llms.txt</a></p>
${links.join('')}<h2>More</h2><ul><li><a href="#errors">Errors</a></li><li><a href="#records">Records</a></li></ul></nav>
<main>
<h1>API reference</h1>
<p>${guides}</p>
<p>${printProse(introduction)}</p>
<pre>${escapeHtml(exampleVariables)}</pre>
${sections.join('')}
<h2 id="errors">Errors</h2>
<p>${printProse(errors)}</p>
${printTable(['Status', 'Meaning'], Object.entries(errorTexts).map(errorRow))}
<h2 id="records">Records</h2>
${records.join('')}
</main>
</body>
</html>
`
}

/** The page may only use its own style. */
export const referencePolicy = () =>
  `default-src 'none'; style-src 'sha256-${sha256(style).toString('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** True with and without a built site, so the page needs no knowledge of it. */
const guides =
  'Guides are at <a href="/docs/">/docs</a>. In a checkout they are the folder <code>docs</code>, and <code>npm run docs</code> builds them for this server.'

const introduction = `Every operation of this server: its input, its output and an example call. The server ignores unknown input fields, and
treats \`null\` for an optional field as if you left the field out, unless its description says otherwise. Later versions may add
fields to the output. The examples use shell variables; each section says which credential its operations take:`

const errors = `An error has the body \`{ "error": string, "fields"?: { [path]: string }, "retryAfter"?: seconds }\`. Every response has an
\`X-Request-Id\` header, which identifies its line in the server's log; 429 and 503 also have a \`Retry-After\` header.`

const errorRow = ([status, text]: [string, string]) => [status, printProse(text)]

function printOperation({ operation, input, output }: Contract): string {
  const { name, method, path, summary, audience, scopes, created, examples } = operation
  const needs = audience === 'agent' ? ` Scopes: ${scopes.length === 0 ? 'none' : scopes.join(', ')}.` : ''
  return `<article id="${operationIdOf(operation)}"><h3>${name}</h3>
<p><code class="route">${method} ${path}</code></p>
<p>${printProse(summary)}${needs}</p>
<h4>Input</h4>${printFields(inputColumns, listFields(input))}
<h4>Output (${created?.(examples.output) === true ? 201 : 200})</h4>${printFields(outputColumns, listFields(output))}
<details><summary>Example</summary><pre>${escapeHtml(printCurl(operation))}</pre>
<pre>${escapeHtml(JSON.stringify(examples.output, null, 2))}</pre></details></article>
`
}

const recordId = (name: string) => `record-${name.toLowerCase()}`

const printRecord = (name: string, schema: JsonSchema) =>
  `<article id="${recordId(name)}"><h3>${name}</h3>${printFields(outputColumns, listFields(schema))}</article>\n`

type Column = readonly [title: string, cell: (field: Field) => string]

const inputColumns: readonly Column[] = [
  ['Field', ({ path }) => `<code>${escapeHtml(path)}</code>`],
  ['Type', ({ type }) => printType(type)],
  ['Limits', ({ limits }) => escapeHtml(limits)],
  ['Default', ({ isRequired, preset }) => (isRequired ? '<strong>required</strong>' : printProse(preset))],
  ['Description', ({ description }) => printProse(description)],
]

const outputColumns: readonly Column[] = [
  ['Field', ({ path }) => `<code>${escapeHtml(path)}</code>`],
  ['Type', ({ type, isRequired }) => (isRequired ? printType(type) : `${printType(type)}, optional`)],
  ['Description', ({ description }) => printProse(description)],
]

const printType = (type: Field['type']) =>
  type
    .map((part) =>
      typeof part === 'string' ? printProse(part) : `<a href="#${recordId(part.record)}">${part.record}</a>`,
    )
    .join('')

const printFields = (columns: readonly Column[], fields: readonly Field[]) =>
  fields.length === 0
    ? '<p>Nothing.</p>'
    : printTable(
        columns.map(([title]) => title),
        fields.map((field) => columns.map(([, cell]) => cell(field))),
      )

/** Cells are HTML. In a scrolling frame, so that on a narrow screen the page itself doesn't scroll sideways. */
function printTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = header.map((title) => `<th scope="col">${title}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`
}

/** Text in which backquotes enclose code. */
const printProse = (text: string) => escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)

const style = `
:root { color-scheme: light dark; --line: light-dark(#e2e4e9, #30343c); --dim: light-dark(#5c6370, #a3abb8); --code: light-dark(#f4f5f7, #1d2026); --link: light-dark(#1d4ed8, #8ab4ff) }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; background: light-dark(#fff, #131519); color: light-dark(#1a1d23, #e6e9ee); display: grid; grid-template-columns: 15rem minmax(0, 1fr) }
a { color: var(--link); text-decoration: none }
a:hover, a:focus-visible { text-decoration: underline }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem 1.25rem; border-right: 1px solid var(--line); font-size: 14px }
nav h2 { margin: 1.25rem 0 .25rem; font-size: 12px; letter-spacing: .04em; text-transform: uppercase; color: var(--dim) }
nav ul { margin: 0; padding: 0; list-style: none }
nav li a { display: block; padding: .1rem 0 }
main { padding: 1.5rem 2.5rem 6rem; max-width: 76rem; width: 100% }
h1 { font-size: 1.75rem; margin: 0 0 1rem }
main h2 { margin: 3rem 0 .5rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line) }
article { margin: 2.5rem 0 }
h3 { margin: 0 0 .25rem; font-size: 1.15rem }
h4 { margin: 1.25rem 0 .25rem; font-size: .9rem; color: var(--dim) }
code, pre { font: 13px/1.5 ui-monospace, monospace; background: var(--code); border-radius: 4px }
code { padding: .1em .3em; overflow-wrap: anywhere }
.route { padding: .25em .6em; border: 1px solid var(--line) }
pre { padding: .8rem 1rem; overflow-x: auto }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px }
table { border-collapse: collapse; width: 100%; font-size: 14px }
th, td { text-align: left; vertical-align: top; padding: .4rem .7rem; border-top: 1px solid var(--line) }
thead th { border-top: 0; font-weight: 600; color: var(--dim) }
td code { white-space: nowrap }
summary { cursor: pointer; margin-top: 1rem; color: var(--link) }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line) } main { padding: 1rem 1rem 4rem } }
`
