import type { BlockList } from 'node:net'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { connectionVariables } from './api/read-settings.ts'
import { type BackupSettings, backupVariables, findBackupProblems, readBackups } from './backups/read-settings.ts'
import type { EmbeddingSettings } from './embeddings/create-provider.ts'
import {
  defaultProvider,
  exactVariables,
  findEmbeddingProblems,
  readEmbeddings,
  unusedSettings,
  useVariables,
} from './embeddings/read-settings.ts'
import { parseRootKeys, type RootKeySource } from './instance/root-key-source.ts'
import { findRerankerProblems, readReranker, rerankerVariables } from './rerank/read-settings.ts'
import type { RerankerOptions } from './rerank/reranker.ts'
import { endpointUrl, headerText, webUrl } from './core/endpoint-settings.ts'
import { collectTexts, type Environment } from './core/environment.ts'
import { defaultDataDir } from './core/program.ts'
import { StoreError } from './db/store-error.ts'
import { describeProblem } from './operation/parse-input.ts'
import type { CountedClass } from './calls/call.ts'
import { metricsVariables, readTelemetry, type TelemetrySettings } from './telemetry/read-settings.ts'
import { parseAllowList, parseNetwork, type AllowedTarget } from './webhooks/address.ts'

/**
 * Only this file reads the environment. Every variable can also be set as `<NAME>_FILE`, the path of a file with the value.
 * One ConfigError reports all unknown HOLDFAST_ names, wrong values and unsafe combinations.
 */

const positiveInt = z.coerce.number().int().min(1)
const rateLimit = (preset: number, what: string) =>
  z.coerce.number().int().min(0).default(preset).describe(`${what} per minute and user; 0: no limit.`)
const quota = (what: string) =>
  z.coerce.number().int().min(0).default(0).describe(`${what} per calendar month (UTC) and user; 0: no quota.`)
const hostName = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/
const splitList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const variables = {
  HOLDFAST_HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  HOLDFAST_PORT: z.coerce.number().int().min(0).max(65_535).default(8420).describe('Port to listen on; 0 picks one.'),
  HOLDFAST_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe(
      'Folder for the embedded store and the files of the running server. In a checkout, `data` in the checkout.',
    ),
  HOLDFAST_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional()
    .describe(
      'A PostgreSQL database; unset means SQLite in the data folder. Connections to another machine use TLS, unless the URL sets `sslmode`.',
    ),
  HOLDFAST_PUBLIC_URL: webUrl
    .optional()
    .describe(
      'URL that people use to reach the server. With https, programs such as claude.ai can [connect with OAuth](mcp.md#connect-claudeai-and-chatgpt).',
    ),
  HOLDFAST_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((text) => splitList(text.toLowerCase()))
    .refine((names) => names.every((name) => hostName.test(name)), 'must be host names without port, comma-separated')
    .describe('More host names that the server answers to, comma-separated, besides local names and the public URL.'),
  HOLDFAST_TRUSTED_PROXY: z
    .string()
    .default('')
    .transform((text, ctx) =>
      splitList(text).flatMap((item) => {
        const network = parseNetwork(item)
        if (network === undefined) ctx.addIssue(`"${item}" is not an address or network`)
        return network ?? []
      }),
    )
    .describe('Addresses and networks of your proxies, comma-separated. Only their X-Forwarded-For is believed.'),
  ...connectionVariables,
  HOLDFAST_ROOT_KEY: z
    .string()
    .optional()
    .describe(
      'The root key, as base64 or hex. While you rotate it: two keys, the new one first, separated by a comma.',
    ),
  HOLDFAST_ROOT_KEY_COMMAND: z
    .string()
    .min(1)
    .optional()
    .describe('A command that prints the root key, or both keys while you rotate it.'),
  HOLDFAST_KEY_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder for the root key file. Default: the user's config folder."),
  HOLDFAST_EMBEDDINGS: z
    .enum(['none', 'static', 'openai', 'transformers'])
    .default(defaultProvider)
    .describe(
      'Source of vectors: none, the built-in English model, an OpenAI-compatible endpoint, or a model in a folder.',
    ),
  HOLDFAST_EMBEDDINGS_URL: endpointUrl.optional().describe('OpenAI-compatible base URL, without /embeddings.'),
  HOLDFAST_EMBEDDINGS_KEY: headerText.optional().describe('Bearer key of that endpoint.'),
  HOLDFAST_EMBEDDINGS_MODEL: z
    .string()
    .min(1)
    .optional()
    .describe('Model name sent to that endpoint; for "transformers", the folder of an ONNX model.'),
  ...useVariables,
  HOLDFAST_EXTRACTION_URL: endpointUrl
    .optional()
    .describe(
      'Base URL of an OpenAI-compatible model that extracts memories from turns and answers questions, without /chat/completions.',
    ),
  HOLDFAST_EXTRACTION_KEY: headerText.optional().describe('Bearer key of that endpoint.'),
  HOLDFAST_EXTRACTION_MODEL: z.string().min(1).optional().describe('Model name sent to that endpoint.'),
  ...rerankerVariables,
  HOLDFAST_INDEX_MEMORY_MB: positiveInt.default(512).describe('Memory for the search indexes of all vaults together.'),
  HOLDFAST_RATE_LIMIT_READ: rateLimit(1200, 'Read requests'),
  HOLDFAST_RATE_LIMIT_WRITE: rateLimit(600, 'Write requests'),
  HOLDFAST_RATE_LIMIT_SEARCH: rateLimit(600, 'Searches'),
  HOLDFAST_RATE_LIMIT_INGEST: rateLimit(600, 'Turns, checkpoints and session events'),
  // Far more than pages send, unless one is broken.
  HOLDFAST_RATE_LIMIT_DASHBOARD: rateLimit(3000, 'Requests of the dashboard and with dashboard tokens'),
  HOLDFAST_QUOTA_READ: quota('Read requests'),
  HOLDFAST_QUOTA_WRITE: quota('Write requests'),
  HOLDFAST_QUOTA_SEARCH: quota('Searches'),
  HOLDFAST_QUOTA_INGEST: quota('Turns, checkpoints and session events'),
  HOLDFAST_WEBHOOK_ALLOW: z
    .string()
    .default('')
    .describe(
      'Targets outside the public internet that webhooks may reach: host names, addresses and networks, each with an optional `:port`; comma-separated.',
    ),
  ...backupVariables,
  ...metricsVariables,
  HOLDFAST_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level to log.'),
  HOLDFAST_URL: webUrl
    .optional()
    .describe(
      'For the command line: the server to call. If unset, commands call the server that owns the data folder, or open the folder itself.',
    ),
  HOLDFAST_OPERATOR_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe('For the command line: the operator token of that server, if its data folder is not accessible.'),
  HOLDFAST_KEY: z.string().optional().describe('For agents and commands that call as an agent: an agent key, svc_….'),
  HOLDFAST_TOOLS: z
    .string()
    .optional()
    .describe('For `holdfast mcp`: which toolsets it offers, comma-separated; unset means core.'),
  HOLDFAST_HOOKS: z.string().optional().describe('For `holdfast hook`: 0 turns off all hooks.'),
} as const

export type VariableName = keyof typeof variables

/** For the generated table of settings: name, default and meaning of each variable. */
export const describeVariables = () =>
  Object.entries(variables).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    default: schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : '',
  }))

export interface Config {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  publicUrl: string | undefined
  allowedHosts: readonly string[]
  trustedProxies: readonly BlockList[]
  /** Open at once. */
  connections: { total: number; perClient: number }
  drainSeconds: number
  rootKey: RootKeySource
  embeddings: EmbeddingSettings
  /** Where turns are sent for extraction. Undefined: nowhere. */
  extraction: { url: string; key: string | undefined; model: string } | undefined
  /** The model that reads the best records of a search. Undefined: none. */
  reranker: RerankerOptions | undefined
  indexMemoryBytes: number
  /** Requests per minute and user; 0: no limit. */
  rateLimits: Record<CountedClass, number>
  /** The same for the dashboard's routes. */
  dashboardRateLimit: number
  /** Units per month and user; 0: no quota. */
  quotas: Record<CountedClass, number>
  webhookAllow: readonly AllowedTarget[]
  backups: BackupSettings
  metricsToken: string | undefined
  telemetry: TelemetrySettings | undefined
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** Every problem of the environment, one per line with the variable's name. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/**
 * `overrides` are command-line flags. They override the environment. Removes the root key from the environment of the process, so
 * that its text is neither kept nor inherited by child processes; a second call doesn't find it.
 */
export function readConfig(
  env: Environment = process.env,
  overrides: Partial<Record<VariableName, string>> = {},
): Config {
  const problems: string[] = []
  const given = { ...collect(env, problems), ...overrides }
  const givenIn = (env['HOLDFAST_ROOT_KEY'] ?? '') === '' ? 'HOLDFAST_ROOT_KEY_FILE' : 'HOLDFAST_ROOT_KEY'
  const givenKeys = readRootKeys(given, givenIn, problems)
  if (env === process.env) delete process.env['HOLDFAST_ROOT_KEY']
  const parsed = z.object(variables).safeParse(given, { error: describeProblem })
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  const dataDir = resolve(given.HOLDFAST_DATA_DIR ?? defaultDataDir)
  const keyDir = resolve(given.HOLDFAST_KEY_DIR ?? defaultKeyDir(env))
  if (isInside(keyDir, dataDir))
    problems.push(
      'HOLDFAST_KEY_DIR: must be outside the data folder; otherwise a copy of that folder could be decrypted',
    )
  const backupDir = resolve(given.HOLDFAST_BACKUP_DIR ?? join(dataDir, 'backups'))
  if (isInside(keyDir, backupDir))
    problems.push(
      'HOLDFAST_KEY_DIR: must be outside the backup folder; otherwise a copy of that folder could be decrypted',
    )
  problems.push(...unsafeMixes(given))
  const allowed = parseAllowList(given.HOLDFAST_WEBHOOK_ALLOW ?? '')
  problems.push(...allowed.problems.map((problem) => `HOLDFAST_WEBHOOK_ALLOW: ${problem}`))
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  const values = parsed.data
  return {
    host: values.HOLDFAST_HOST,
    port: values.HOLDFAST_PORT,
    dataDir,
    databaseUrl: values.HOLDFAST_DATABASE_URL,
    publicUrl: values.HOLDFAST_PUBLIC_URL,
    allowedHosts: values.HOLDFAST_ALLOWED_HOSTS,
    trustedProxies: values.HOLDFAST_TRUSTED_PROXY,
    connections: {
      total: values.HOLDFAST_MAX_CONNECTIONS,
      perClient: values.HOLDFAST_MAX_CONNECTIONS_PER_CLIENT,
    },
    drainSeconds: values.HOLDFAST_DRAIN_SECONDS,
    rootKey: {
      given: givenKeys,
      ...(givenKeys !== undefined && { givenIn }),
      command: values.HOLDFAST_ROOT_KEY_COMMAND,
      dir: keyDir,
    },
    embeddings: readEmbeddings(values),
    extraction: extractionOf(values),
    reranker: readReranker(values),
    indexMemoryBytes: values.HOLDFAST_INDEX_MEMORY_MB * 1024 * 1024,
    rateLimits: byClass((name) => values[`HOLDFAST_RATE_LIMIT_${name}`]),
    dashboardRateLimit: values.HOLDFAST_RATE_LIMIT_DASHBOARD,
    quotas: byClass((name) => values[`HOLDFAST_QUOTA_${name}`]),
    webhookAllow: allowed.targets,
    backups: readBackups(values, backupDir),
    metricsToken: values.HOLDFAST_METRICS_TOKEN,
    telemetry: readTelemetry(env),
    logLevel: values.HOLDFAST_LOG_LEVEL,
  }
}

/** For trying another embedding model. If the overrides name a provider, settings that it doesn't use are ignored. */
export function readOtherEmbeddings(
  overrides: Partial<Record<VariableName, string>>,
  env: Environment = process.env,
): EmbeddingSettings {
  const ignored = unusedSettings(overrides.HOLDFAST_EMBEDDINGS ?? '').flatMap((name) => [name, `${name}_FILE`])
  const used = Object.entries(env).filter(([name]) => !ignored.some((one) => one === name))
  return readConfig(Object.fromEntries(used), overrides).embeddings
}

function readRootKeys({ HOLDFAST_ROOT_KEY: text }: Given, name: string, problems: string[]): RootKeySource['given'] {
  try {
    return text === undefined ? undefined : parseRootKeys(text, name)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    problems.push(error.message)
    return undefined
  }
}

// Used by API callers, so it isn't reported as unknown.
const callersVariables = new Set(['HOLDFAST_TOKEN'])

/** For the command line: which server it works through, and its token. Call `readConfig` first: it reports problems. */
export function readRemote(env: Environment = process.env): {
  url: string | undefined
  operatorToken: string | undefined
  dataDir: string | undefined
} {
  const { HOLDFAST_URL: url, HOLDFAST_OPERATOR_TOKEN: operatorToken, HOLDFAST_DATA_DIR: dataDir } = collect(env, [])
  return { url, operatorToken, dataDir }
}

/**
 * For commands that call as an agent: the server's URL, the agent key and the toolsets. Without a URL, the data folder and port that
 * are set for the server find it. Throws a ConfigError.
 */
export function readAgent(env: Environment = process.env): {
  url: string | undefined
  key: string | undefined
  tools: string | undefined
  dataDir: string | undefined
  /** 0 if it is invalid, or chosen by the server. */
  port: number
} {
  const problems: string[] = []
  const given = collect(env, problems)
  const { HOLDFAST_URL: url, HOLDFAST_KEY: key, HOLDFAST_TOOLS: tools, HOLDFAST_DATA_DIR: dataDir } = given
  if (!variables.HOLDFAST_URL.safeParse(url).success) problems.push('HOLDFAST_URL: must be an http address')
  // The server reports problems with other settings.
  const own = problems.filter((problem) => /^HOLDFAST_(URL|KEY|TOOLS)(_FILE)?:/.test(problem))
  if (own.length > 0) throw new ConfigError(own)
  const port =
    given.HOLDFAST_PORT === undefined ? 0 : (variables.HOLDFAST_PORT.safeParse(given.HOLDFAST_PORT).data ?? 0)
  return { url, key, tools, dataDir, port }
}

type Given = Partial<Record<VariableName, string>>

const collect = (env: Environment, problems: string[]): Given =>
  collectTexts(
    env,
    { names: Object.keys(variables) as VariableName[], ignored: callersVariables, exact: exactVariables },
    problems,
  )

// Checks the raw texts, so a wrong value elsewhere doesn't hide these problems.
function unsafeMixes(given: Given): string[] {
  const problems: string[] = []
  if (given.HOLDFAST_ROOT_KEY !== undefined && given.HOLDFAST_ROOT_KEY_COMMAND !== undefined)
    problems.push('HOLDFAST_ROOT_KEY and HOLDFAST_ROOT_KEY_COMMAND: set only one of them')
  const { HOLDFAST_EXTRACTION_URL: extractionUrl, HOLDFAST_EXTRACTION_MODEL: extractionModel } = given
  if ((extractionUrl === undefined) !== (extractionModel === undefined))
    problems.push('HOLDFAST_EXTRACTION_URL and HOLDFAST_EXTRACTION_MODEL: set both or neither')
  else if (extractionUrl === undefined && given.HOLDFAST_EXTRACTION_KEY !== undefined)
    problems.push('HOLDFAST_EXTRACTION_KEY is set, but HOLDFAST_EXTRACTION_URL is not')
  return [...problems, ...findBackupProblems(given), ...findRerankerProblems(given), ...findEmbeddingProblems(given)]
}

function extractionOf(values: z.output<z.ZodObject<typeof variables>>): Config['extraction'] {
  const { HOLDFAST_EXTRACTION_URL: url, HOLDFAST_EXTRACTION_MODEL: model, HOLDFAST_EXTRACTION_KEY: key } = values
  return url === undefined || model === undefined ? undefined : { url, key, model }
}

const byClass = (valueOf: (name: Uppercase<CountedClass>) => number): Record<CountedClass, number> => ({
  read: valueOf('READ'),
  write: valueOf('WRITE'),
  search: valueOf('SEARCH'),
  ingest: valueOf('INGEST'),
})

function defaultKeyDir(env: Environment): string {
  const configDir = [env.XDG_CONFIG_HOME, env.APPDATA].find((dir) => dir !== undefined && dir !== '')
  return join(configDir ?? join(homedir(), '.config'), 'holdfast')
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(join(folder, '/'))

/** The folder for copies of files that commands change: in the user's state folder (XDG base directory specification). */
export function copiesFolder(env: Environment = process.env): string {
  const state = env.XDG_STATE_HOME
  const folder = state === undefined || !isAbsolute(state) ? join(homedir(), '.local', 'state') : state
  return join(folder, 'holdfast', 'copies')
}
