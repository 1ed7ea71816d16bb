/**
 * The part of JSON Schema that tools use, which every host and model accepts: no unions, no references, a type on every
 * property. If a host rejects one schema, all tools disappear there.
 */
export interface PropertySchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly description?: string
  readonly enum?: readonly (string | number | boolean)[]
  readonly format?: string
  readonly nullable?: boolean
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: PropertySchema
  readonly properties?: Readonly<Record<string, PropertySchema>>
  readonly required?: readonly string[]
}

export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, PropertySchema>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
}

/** The arguments that a schema accepts. */
export type ArgumentsOf<Schema> = Schema extends {
  properties: infer Properties
  required: readonly (infer Required extends string)[]
}
  ? { [Name in keyof Properties & Required]: ValueOf<Properties[Name]> } & {
      [Name in Exclude<keyof Properties, Required>]?: ValueOf<Properties[Name]>
    }
  : Schema extends { properties: infer Properties }
    ? { [Name in keyof Properties]?: ValueOf<Properties[Name]> }
    : never

type ValueOf<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { type: 'string' }
    ? string
    : Schema extends { type: 'integer' | 'number' }
      ? number
      : Schema extends { type: 'boolean' }
        ? boolean
        : Schema extends { type: 'array'; items: infer Items }
          ? ValueOf<Items>[]
          : Schema extends { type: 'object'; properties: unknown }
            ? ArgumentsOf<Schema>
            : Record<string, unknown>

/** Builds a schema with its type. Leaves out an empty `required`, which some hosts reject. */
export const objectSchema = <
  const Properties extends InputSchema['properties'],
  const Required extends readonly (keyof Properties & string)[] = [],
>(
  properties: Properties,
  required?: Required,
) =>
  ({
    type: 'object',
    properties,
    ...(required !== undefined && { required }),
    additionalProperties: false,
  }) as { type: 'object'; properties: Properties; required: Required; additionalProperties: false }
