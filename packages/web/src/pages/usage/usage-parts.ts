import type { ReadUsageOutput } from '@holdfast/client/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { call, type InputOf } from '../../api/call.ts'
import { useFilteredOperation } from '../../api/queries.ts'
import type { ChangeType } from '../../generated/web-operations.ts'

type Part = keyof ReadUsageOutput
export type UsageInput = Omit<InputOf<'read-usage'>, 'parts'>
export type Usage<Name extends Part> = NonNullable<ReadUsageOutput[Name]>
/** The answer has the part that was asked for. */
type Answer<Name extends Part> = { [Asked in Name]: Usage<Asked> }

/** The vaults are measured again only now and then. */
const outdatedBy: Record<Part, readonly ChangeType[]> = {
  units: ['runs'],
  calls: ['runs'],
  memories: ['memories'],
  storage: ['runs'],
}

/** Pages ask for each part separately, so that none waits for a slow one. */
export const useUsage = <Name extends Part>(part: Name, input: UsageInput = {}) =>
  useFilteredOperation('read-usage', { ...input, parts: [part] }, { outdatedBy: outdatedBy[part] }) as UseQueryResult<
    Answer<Name>
  >

export const readUsage = async <Name extends Part>(part: Name, input: UsageInput = {}) =>
  (await call('read-usage', { ...input, parts: [part] })) as Answer<Name>
