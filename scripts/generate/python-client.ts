import { describeContracts, type Contract } from '../../packages/server/src/api/contracts.ts'
import type { Route } from '../../packages/server/src/operation/operation.ts'
import { describeRepeatability } from './client-routes.ts'
import { findItems, pascalCase } from './client-types.ts'
import { printPythonEvents } from './python-events.ts'
import { describeInput, InputPrinter, withMemoryTypes, type Argument } from './python-inputs.ts'
import { printPythonModels } from './python-models.ts'
import { isNullable, shapeOf, type NameInner } from './python-types.ts'
import { head, printDocstring, snakeCase, translate } from './python-words.ts'

const folder = 'clients/python/src/holdfast/_generated'
const written = '# Written by `npm run generate` from the registry of operations; do not edit.\n'

/** Prints the generated part of the Python client. The methods of both clients, sync and async, come from one template. */
export function printPythonClient(routes: readonly Route[], version: string): Record<string, string> {
  const schemas = describeContracts(routes)
  const contracts = withMemoryTypes(schemas.contracts)
  const operations = contracts.map(({ operation }) => operation.name)
  const inputs = new InputPrinter(
    contracts.map(({ input }) => input),
    operations,
  )
  const methods = contracts.map((contract) => ({
    contract,
    operations,
    input: describeInput(contract, operations, inputs.nameInner),
  }))
  return {
    [`${folder}/__init__.py`]: `${written}__version__ = "${version}"\n`,
    [`${folder}/events.py`]: printPythonEvents(),
    [`${folder}/inputs.py`]: inputs.print(),
    [`${folder}/models.py`]: printPythonModels(schemas),
    [`${folder}/routes.py`]: printRoutes(contracts, inputs.nameInner),
    [`${folder}/methods.py`]: printMethods(methods, inputs.names, 'sync'),
    [`${folder}/async_methods.py`]: printMethods(methods, inputs.names, 'async'),
  }
}

function printRoutes(contracts: readonly Contract[], nameInner: NameInner): string {
  const printed = contracts.map(({ operation, input, output }) => {
    const { name, method, path, vault } = operation
    const items = findItems({ operation, input, output })
    const nullable = Object.entries(input.properties ?? {}).flatMap(([field, schema]) =>
      isNullable(schema) ? [field] : [],
    )
    const shape = shapeOf(input, { owner: pascalCase(name), nameInner })
    const parts = [
      `"${method}"`,
      `"${path}"`,
      `"${snakeCase(describeRepeatability(operation))}"`,
      ...(['resolved', 'required'].includes(vault) ? ['in_vault=True'] : []),
      ...(items === undefined ? [] : [`items="${items}"`]),
      ...(nullable.length === 0 ? [] : [`nullable=frozenset({${nullable.map((field) => `"${field}"`).join(', ')}})`]),
      ...(shape === '{}' ? [] : [`shape=${shape}`]),
    ]
    return `${constant(name)} = Route(\n${parts.map((part) => `    ${part},`).join('\n')}\n)`
  })
  return `${head('How operations are called.')}
from __future__ import annotations

from .._route import Route

${printed.join('\n')}
`
}

const constant = (name: string) => name.replaceAll('-', '_').toUpperCase()

interface Method {
  contract: Contract
  operations: readonly string[]
  input: readonly Argument[]
}

type Kind = 'sync' | 'async'

function printMethods(methods: readonly Method[], inputNames: readonly string[], kind: Kind): string {
  const printed = methods.map((method) => printMethod(method, kind)).join('\n')
  const uses = (name: string) => new RegExp(String.raw`\b${name}\b`).test(printed)
  const used = inputNames.filter(uses)
  const [name, calls] = kind === 'sync' ? ['Methods', 'Calls'] : ['AsyncMethods', 'AsyncCalls']
  return `${head('The operations as methods.')}
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from .._calls import ${calls}
${kind === 'async' ? 'from .._pages import AsyncPages\n' : ''}from .._unset import UNSET, Unset
from . import models, routes
from .inputs import (
${used.map((one) => `    ${one},`).join('\n')}
)


class ${name}(${calls}):
${printed}
`
}

const outputName = ({ operation }: Contract) => `${pascalCase(operation.name)}Output`

function printMethod({ contract, operations, input }: Method, kind: Kind): string {
  const { operation } = contract
  const args = input.map(({ wire, name, annotation, isRequired }) => {
    if (isRequired) return `        ${name}: ${annotation},`
    const canBeNull = isNullable(contract.input.properties?.[wire] ?? {})
    return canBeNull
      ? `        ${name}: ${annotation.replace(/ \| None$/, '')} | Unset | None = UNSET,`
      : `        ${name}: ${annotation} | None = None,`
  })
  const options = ['        timeout: float | None = None,', '        max_retries: int | None = None,']
  const given = input.map(({ wire, name }) => `"${wire}": ${name}`)
  return `    ${printSignature(contract, kind)}(
        self,
        *,
${[...args, ...options].join('\n')}
    ) -> ${returnType(contract, kind)}:
${printDocstring(describeMethod(operation, operations, input), '        ')}
        return ${printCall(contract, kind)}(
            routes.${constant(operation.name)},
            {${given.length === 0 ? '' : `\n${given.map((one) => `                ${one},`).join('\n')}\n            `}},
${resultArguments(contract, kind)}
            timeout=timeout,
            max_retries=max_retries,
        )
`
}

const isPaged = (contract: Contract) => findItems(contract) !== undefined

const printSignature = (contract: Contract, kind: Kind) =>
  `${kind === 'async' && !isPaged(contract) ? 'async def' : 'def'} ${snakeCase(contract.operation.name)}`

const printCall = (contract: Contract, kind: Kind) =>
  isPaged(contract) ? 'self._call_paged' : `${kind === 'async' ? 'await ' : ''}self._call`

function returnType(contract: Contract, kind: Kind): string {
  const page = `models.${outputName(contract).replace(/Output$/, 'Page')}`
  if (!isPaged(contract)) return `models.${outputName(contract)}`
  return kind === 'sync' ? page : `AsyncPages[models.${outputName(contract)}, ${itemType(contract)}]`
}

function resultArguments(contract: Contract, kind: Kind): string {
  const output = `            models.${outputName(contract)},`
  if (!isPaged(contract)) return output
  return kind === 'sync' ? output.replace(/Output,$/, 'Page,') : `${output}\n            ${itemType(contract)},`
}

/** The items of every list are named components. */
function itemType(contract: Contract): string {
  const { $ref = '' } = contract.output.properties?.[findItems(contract) ?? '']?.items ?? {}
  if ($ref === '') throw new Error(`${contract.operation.name}: its items need an id`)
  return `models.${$ref.split('/').at(-1)}`
}

function describeMethod({ summary }: Route, operations: readonly string[], input: readonly Argument[]): string[] {
  const described = input.filter(({ description }) => description !== '')
  return [
    translate(summary, operations),
    '',
    'Args:',
    ...described.map(({ name, description }) => `    ${name}: ${description}`),
    "    timeout: Time limit for this call including retries, in seconds. Default: the client's.",
    "    max_retries: How often to retry, if that is safe. Default: the client's.",
  ]
}
