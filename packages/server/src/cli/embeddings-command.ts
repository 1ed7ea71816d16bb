import { InvalidArgumentError, Option, type Command } from 'commander'
import { readOtherEmbeddings, type VariableName } from '../config.ts'
import { adviceFor } from '../embeddings/check-provider.ts'
import { createModel, readUse, type EmbeddingSettings } from '../embeddings/create-provider.ts'
import type { ModelUse, Source } from '../embeddings/model-use.ts'
import { EmbeddingError, type TextKind } from '../embeddings/provider.ts'
import { canTellApart, foundFrom, tryModel, type Trial } from './embeddings/try-model.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { wrap } from './human.ts'
import { print, printable, table, withExamples } from './options.ts'

interface TestOptions {
  provider?: string
  endpoint?: string
  model?: string
  queryPrefix?: string
  documentPrefix?: string
  dims?: string
  json?: true
}

export function addEmbeddingCommands(program: Command): void {
  const embeddings = program.command('embeddings').description('the model that searches by meaning')
  const command = embeddings
    .command('test')
    .description('try the embedding model with 20 questions and their answers')
    .addOption(
      new Option('--provider <name>', 'default: HOLDFAST_EMBEDDINGS').choices(['static', 'openai', 'transformers']),
    )
    .option('--endpoint <url>', 'default: HOLDFAST_EMBEDDINGS_URL')
    .option('--model <name>', 'name or folder (default: HOLDFAST_EMBEDDINGS_MODEL)')
    .option('--query-prefix <text>', 'default: HOLDFAST_EMBEDDINGS_QUERY_PREFIX')
    .option('--document-prefix <text>', 'default: HOLDFAST_EMBEDDINGS_DOCUMENT_PREFIX')
    .option('--dims <number>', 'default: HOLDFAST_EMBEDDINGS_DIMS', readDims)
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
It needs no store and changes nothing. HOLDFAST_EMBEDDINGS_KEY and _CALIBRATION
count too: an endpoint receives the key and the built-in texts, and none of
yours. The exit code is 1 if the model cannot be used.`,
    )
    .action(testModel)
  withExamples(command, 'embeddings test', 'embeddings test --model nomic-embed-text')
}

/** Returned as text, because it replaces an environment variable. */
function readDims(text: string): string {
  if (/^[1-9]\d{0,3}$/.test(text)) return text
  throw new InvalidArgumentError('Give a number from 1 to 4096.')
}

/** Loading a model may take a minute, and no search waits for it here. */
const timeoutMs = 120_000

async function testModel(options: TestOptions): Promise<void> {
  const settings = readSettings(options)
  const provider = createModel(settings, timeoutMs)
  if (provider === undefined)
    throw new CommandError(
      exitCodes.failure,
      'HOLDFAST_EMBEDDINGS is none, so there is no model to test.',
      'Set it, or give --provider.',
    )
  try {
    const trial = await tryModel(provider)
    const use = readUse(settings)
    print(options, { model: provider.id, use: use ?? null, ...trial }, describe(provider.id, use, trial))
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error
    throw new CommandError(exitCodes.failure, `${provider.id} cannot be used (${error.code}).`, explain(error))
  } finally {
    await provider.stop?.()
  }
}

/** Options replace settings. */
function readSettings(options: TestOptions): EmbeddingSettings {
  const given: [VariableName, string | undefined][] = [
    ['HOLDFAST_EMBEDDINGS', options.provider],
    ['HOLDFAST_EMBEDDINGS_URL', options.endpoint],
    ['HOLDFAST_EMBEDDINGS_MODEL', options.model],
    ['HOLDFAST_EMBEDDINGS_QUERY_PREFIX', options.queryPrefix],
    ['HOLDFAST_EMBEDDINGS_DOCUMENT_PREFIX', options.documentPrefix],
    ['HOLDFAST_EMBEDDINGS_DIMS', options.dims],
  ]
  return readOtherEmbeddings(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
}

const explain = ({ code }: EmbeddingError): string => {
  const advice = adviceFor(code) || 'check HOLDFAST_EMBEDDINGS_URL, _KEY and _MODEL'
  return `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`
}

/** A question of a search waits this long for its vector (openai-compatible.ts, transformers.ts). */
const searchWaitsMs = 800

function describe(id: string, use: ModelUse | undefined, trial: Trial): string[] {
  const { pairs, right, cosines, found } = trial
  const rows: [string, string][] = [
    ['Model', printable(id)],
    ...describeUse(use),
    ['Dimensions', String(trial.dims)],
    ['Token limit', trial.maxTokens === null ? 'none known' : String(trial.maxTokens)],
    [
      'Speed',
      `${trial.textsPerSecond.toFixed(0)} texts per second, ${trial.msPerQuestion.toPrecision(2)} ms per question`,
    ],
    ['Nearest', `${right} of ${pairs} questions are nearest to their own answer`],
    ['Cosines', `${cosines.own.toFixed(2)} with the own answer, ${cosines.others.toFixed(2)} with others (mean)`],
    [
      'Threshold',
      `${found.own} of ${pairs} own answers reach similarity ${foundFrom}, and ${found.others} of ${found.ofOthers} others`,
    ],
  ]
  return [...table(rows), ...listHints(trial).flatMap((hint) => ['', ...wrap(printable(hint))])]
}

function describeUse(use: ModelUse | undefined): [string, string][] {
  if (use === undefined) return []
  const prefix = (kind: TextKind) => {
    const text = use.prefixes[kind]
    return `${text === '' ? 'no prefix' : printable(JSON.stringify(text))} (${describeSource(use.sources[kind])})`
  }
  const { pooling } = use
  return [
    ['Questions', prefix('query')],
    ['Stored texts', prefix('document')],
    ...(pooling === undefined
      ? []
      : [['Pooling', `${ways[pooling.way]} (${describeSource(pooling.source)})`] as const]),
  ].map(([label = '', value = '']) => [label, value])
}

const ways = { mean: 'mean', first: 'first token', last: 'last token', model: 'by the model' } as const

function describeSource(source: Source): string {
  if (source === undefined) return 'nothing known about this model'
  if (source === 'setting') return 'your setting'
  return source === 'folder' ? "the model's files" : `the model card of ${source.card}`
}

function listHints({ right, msPerQuestion, suggestedCalibration }: Trial): string[] {
  const hints = []
  if (!canTellApart(right))
    hints.push('A good model finds most answers. Check that the model is for English, and its prefixes and pooling.')
  if (msPerQuestion > searchWaitsMs)
    hints.push(`A search waits ${searchWaitsMs} ms for the model, so with this one it mostly uses words and links.`)
  if (suggestedCalibration !== null)
    hints.push(
      `Thresholds don't fit this model well. Try HOLDFAST_EMBEDDINGS_CALIBRATION=${suggestedCalibration}, a guess from these few pairs.`,
    )
  return hints
}
