import type { Contract, ContractSchemas, JsonSchema } from '../../packages/server/src/api/contracts.ts'
import { findItems, pascalCase } from './client-types.ts'
import { nameObjects } from './python-names.ts'
import { outputType, type NameInner } from './python-types.ts'
import { head, printDocstring, snakeCase, translate } from './python-words.ts'

/** Prints the models of answers: the named components, and for each operation its output. */
export function printPythonModels({ contracts, components }: ContractSchemas): string {
  const names = contracts.map(({ operation }) => operation.name)
  const models = new ModelPrinter(
    [...Object.values(components), ...contracts.map(({ output }) => output)],
    components,
    names,
  )
  for (const name of Object.keys(components)) models.add(name, components[name] ?? {}, '')
  for (const contract of contracts) addOutput(models, contract)
  return `${head('What the server answers.')}
from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Answer, Model, by_key, many, parse_time
from .._pages import Page


${models.print()}


__all__ = [
${models.names.map((name) => `    "${name}",`).join('\n')}
]
`
}

function addOutput(models: ModelPrinter, contract: Contract): void {
  const { operation, output } = contract
  const name = `${pascalCase(operation.name)}Output`
  models.add(name, output, `Output of ${operation.name}.`, 'Answer')
  const items = findItems(contract)
  if (items === undefined) return
  const item = models.typeOfField(output, items, name).annotation.replace(/^list\[(.*)\]$/, '$1')
  models.addText(
    name.replace(/Output$/, 'Page'),
    `(${name}, Page[${item}]):\n    """A page of ${operation.name}. Iterating over it goes on to the following pages."""\n\n    _items = "${snakeCase(items)}"`,
  )
}

/** Collects classes in an order in which each comes after those it names. */
class ModelPrinter {
  readonly #printed = new Map<string, string>()
  readonly #inner: NameInner
  readonly #components: Readonly<Record<string, JsonSchema>>
  readonly #operations: readonly string[]

  constructor(
    schemas: readonly JsonSchema[],
    components: Readonly<Record<string, JsonSchema>>,
    operations: readonly string[],
  ) {
    this.#components = components
    this.#operations = operations
    this.#inner = nameObjects(schemas, (name) => name in components)
  }

  add(name: string, schema: JsonSchema, summary: string, base = 'Model'): void {
    if (this.#printed.has(name)) return
    if (schema.$ref !== undefined) {
      const target = schema.$ref.split('/').at(-1) ?? ''
      this.add(target, this.#components[target] ?? {}, '')
      this.addText(name, `(${target}, ${base}):\n${printDocstring([translate(summary, this.#operations)], '    ')}`)
      return
    }
    const fields = Object.keys(schema.properties ?? {}).map((field) => {
      const { annotation, reader } = this.typeOfField(schema, field, name)
      return { text: this.#printField(schema, field, annotation), reader: reader && `"${field}": ${reader}` }
    })
    const readers = fields.flatMap(({ reader }) => reader ?? [])
    const about = translate(summary === '' ? (schema.description ?? '') : summary, this.#operations)
    this.addText(
      name,
      [
        `(${base}):`,
        ...(about === '' ? [] : [`${printDocstring([about], '    ')}\n`]),
        ...fields.map(({ text }) => text),
        ...(readers.length === 0
          ? []
          : [`\n    _readers = {\n${readers.map((one) => `        ${one},`).join('\n')}\n    }`]),
      ].join('\n'),
    )
  }

  addText(name: string, text: string): void {
    this.#printed.set(name, `class ${name}${text}`)
  }

  typeOfField(schema: JsonSchema, field: string, owner: string) {
    const inner = schema.properties?.[field] ?? {}
    for (const reference of JSON.stringify(inner).matchAll(/"\$ref":"[^"]*\/(\w+)"/g))
      this.add(reference[1] ?? '', this.#components[reference[1] ?? ''] ?? {}, '')
    return outputType(inner, { field, owner, nameInner: this.#nameInner })
  }

  #nameInner: NameInner = (schema, field, owner) => {
    const name = this.#inner(schema, field, owner)
    this.add(name, schema, '')
    return name
  }

  #printField(schema: JsonSchema, field: string, annotation: string): string {
    const isRequired = schema.required?.includes(field) ?? false
    const mayBeNone = isRequired ? annotation : `${annotation.replace(/ \| None$/, '')} | None = None`
    const { description } = schema.properties?.[field] ?? {}
    const about =
      description === undefined ? '' : `\n${printDocstring([translate(description, this.#operations)], '    ')}`
    return `    ${snakeCase(field)}: ${mayBeNone}${about}`
  }

  get names(): string[] {
    return [...this.#printed.keys()].toSorted()
  }

  print(): string {
    return [...this.#printed.values()].join('\n\n\n')
  }
}
