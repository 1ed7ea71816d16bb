/**
 * A separate process that runs an ONNX model with the package @huggingface/transformers, for model-process.ts. Not a thread, because
 * ending a thread while the runtime works may abort the whole server (it did in one of three tries). Settings come as arguments, texts
 * and vectors as messages. It ends with its parent.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface Ask {
  texts: string[]
}

export type Reply =
  | { kind: 'ready'; maxTokens: number }
  | { kind: 'unusable'; code: 'package_missing' | 'model_unusable' }
  /** The vectors concatenated, not normalized yet. */
  | { kind: 'vectors'; numbers: Float32Array; dims: number; tokens: number }
  | { kind: 'failed' }

/** The parts of the package that are used. Its own types are only available if it is installed. */
interface Package {
  env: Record<string, unknown>
  AutoTokenizer: { from_pretrained(name: string, options: object): Promise<Tokenizer> }
  AutoModel: { from_pretrained(name: string, options: object): Promise<Model> }
}
type Tokenizer = ((texts: string[], options: object) => Promise<Tokens> | Tokens) & { model_max_length?: number }
interface Tokens {
  attention_mask: { data: ArrayLike<number | bigint> }
}
type Model = ((tokens: Tokens) => Promise<{ last_hidden_state: { data: Float32Array; dims: number[] } }>) & {
  config: { max_position_embeddings?: number }
}

/** For models without a stated limit. Chunks of 150 words fit. */
const defaultMaxTokens = 512

const [, , packageName = '', folder = ''] = process.argv
const send = (reply: Reply) => void process.send?.(reply)

async function load(): Promise<(texts: string[]) => Promise<Reply>> {
  const { env, AutoTokenizer, AutoModel } = (await import(packageName)) as Package
  // Both, so that no other setting of the package can enable the network again.
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, useFSCache: false, useBrowserCache: false })
  Object.assign(env, { localModelPath: `${dirname(folder)}/`, fetch: refuseFetch })
  const options = { local_files_only: true, device: 'cpu', dtype: isQuantized(folder) ? 'q8' : 'fp32' }
  const tokenizer = await AutoTokenizer.from_pretrained(basename(folder), options)
  const model = await AutoModel.from_pretrained(basename(folder), options)
  const maxTokens = leastOf([tokenizer.model_max_length, model.config.max_position_embeddings])
  send({ kind: 'ready', maxTokens })
  return async (texts) => {
    const tokens = await tokenizer(texts, { padding: true, truncation: true, max_length: maxTokens })
    const { last_hidden_state: hidden } = await model(tokens)
    return poolMeans(hidden, Array.from(tokens.attention_mask.data, Number))
  }
}

const refuseFetch = () => Promise.reject(new Error('This process only reads local files'))

const isQuantized = (path: string) => existsSync(join(path, 'onnx/model_quantized.onnx'))

// Some tokenizers have a limit of 10^30.
const leastOf = (limits: (number | undefined)[]) =>
  Math.min(...limits.map((limit) => (limit !== undefined && limit > 0 && limit < 1e6 ? limit : defaultMaxTokens)))

/** The mean of the tokens of each text, without padding. */
function poolMeans(
  { data, dims: [texts = 0, length = 0, dims = 0] }: { data: Float32Array; dims: number[] },
  mask: number[],
): Reply {
  const numbers = new Float32Array(texts * dims)
  for (let at = 0; at < texts * length; at++) {
    if (mask[at] !== 1) continue
    const start = Math.floor(at / length) * dims
    for (let i = 0; i < dims; i++) numbers[start + i] = (numbers[start + i] ?? 0) + (data[at * dims + i] ?? NaN)
  }
  // Not divided, since vectors are normalized afterwards.
  return { kind: 'vectors', numbers, dims, tokens: mask.filter((value) => value === 1).length }
}

process.on('disconnect', () => process.exit())
try {
  const embed = await load()
  process.on('message', ({ texts }: Ask) => void embed(texts).then(send, () => send({ kind: 'failed' })))
} catch (error) {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  send({ kind: 'unusable', code: isMissing ? 'package_missing' : 'model_unusable' })
  process.disconnect()
}
