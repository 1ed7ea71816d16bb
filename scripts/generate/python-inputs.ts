import type { Contract, JsonSchema } from '../../packages/server/src/api/contracts.ts'
import { pascalCase } from './client-types.ts'
import { nameObjects } from './python-names.ts'
import { inputType, type NameInner } from './python-types.ts'
import { head, printDocstring, printLiteral, snakeCase, translate } from './python-words.ts'

/** An argument of a method. */
export interface Argument {
  wire: string
  name: string
  annotation: string
  isRequired: boolean
  description: string
}

/** Describes the arguments of an operation's method, and the objects within them. */
export function describeInput(contract: Contract, operations: readonly string[], nameInner: NameInner): Argument[] {
  const { operation, input } = contract
  const { properties = {}, required = [] } = input
  return Object.entries(properties).map(([wire, schema]) => ({
    wire,
    name: snakeCase(wire),
    annotation: inputType(schema, { field: wire, owner: pascalCase(operation.name), nameInner }).annotation,
    // A client has its own vault, so calls do not have to name one.
    isRequired: required.includes(wire) && wire !== 'vaultId',
    description: describeField(schema, operations),
  }))
}

function describeField({ description, default: preset }: JsonSchema, operations: readonly string[]): string {
  const words = [
    description === undefined ? undefined : translate(description, operations),
    preset === undefined || description?.includes('Default:') ? undefined : `Default: ${printLiteral(preset)}.`,
  ]
  return words.filter((part) => part !== undefined).join(' ')
}

/** Collects the objects within inputs, as typed dictionaries. */
export class InputPrinter {
  readonly #printed = new Map<string, string>()
  readonly #inner: NameInner
  readonly #operations: readonly string[]

  constructor(schemas: readonly JsonSchema[], operations: readonly string[]) {
    this.#inner = nameObjects(schemas, () => false)
    this.#operations = operations
  }

  readonly nameInner: NameInner = (schema, field, owner) => {
    const name = `${this.#inner(schema, field, owner)}Input`
    if (!this.#printed.has(name)) this.#printed.set(name, this.#print(name, schema))
    return name
  }

  #print(owner: string, schema: JsonSchema): string {
    const fields = Object.entries(schema.properties ?? {}).map(([field, inner]) => {
      const { annotation } = inputType(inner, { field, owner, nameInner: this.nameInner })
      const isRequired = schema.required?.includes(field) ?? false
      const about = describeField(inner, this.#operations)
      const type = isRequired ? annotation : `NotRequired[${annotation}]`
      return `    ${snakeCase(field)}: ${type}${about === '' ? '' : `\n${printDocstring([about], '    ')}`}`
    })
    return `class ${owner}(TypedDict):\n${fields.join('\n')}`
  }

  get names(): string[] {
    return [...this.#printed.keys()]
  }

  print(): string {
    return `${head('Objects that calls send.')}
from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


${[...this.#printed.values()].join('\n\n\n')}
`
  }
}

/** A checkpoint validates each memory separately, so its contract accepts anything; a memory is what write-memory takes. */
export function withMemoryTypes(contracts: readonly Contract[]): Contract[] {
  const memory = contracts.find(({ operation }) => operation.name === 'write-memory')?.input
  return contracts.map((contract) => {
    const { memories } = contract.input.properties ?? {}
    if (contract.operation.name !== 'context-checkpoint' || memory === undefined || memories?.items === undefined)
      return contract
    const properties = Object.entries(memories.items.properties ?? {}).map(([field]): [string, JsonSchema] => [
      field,
      memory.properties?.[field] ?? {},
    ])
    const items = { type: 'object', properties: Object.fromEntries(properties), required: memory.required ?? [] }
    const input = { ...contract.input, properties: { ...contract.input.properties, memories: { ...memories, items } } }
    return { ...contract, input }
  })
}
