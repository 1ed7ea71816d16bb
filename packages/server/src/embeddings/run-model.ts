/**
 * A separate process that runs an ONNX model with the package @huggingface/transformers, for model-process.ts. Not a thread, because
 * ending a thread while the runtime works may abort the whole server (it did in one of three tries). Settings come as arguments, texts
 * and vectors as messages. It ends with its parent.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { poolTokens, type Pooling } from './pooling.ts'

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
type Model = ((tokens: Tokens) => Promise<Partial<Record<Output, Tensor>>>) & {
  config: { max_position_embeddings?: number }
}
/** The numbers of all tokens, under one of two names, or of whole texts. */
type Output = 'last_hidden_state' | 'token_embeddings' | 'sentence_embedding'
interface Tensor {
  data: Float32Array
  dims: number[]
}

/** For models without a stated limit. Chunks of 150 words fit. */
const defaultMaxTokens = 512

const [, , packageName = '', folder = '', pooling = 'mean'] = process.argv as [
  string,
  string,
  string?,
  string?,
  Pooling?,
]
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
  // One by one: in a batch, a quantized model rounds each text as its neighbors need it (cosine 0.996 to the same text alone), and padding
  // takes time. Texts of 10 to 100 words took 16 ms each alone and 38 ms in batches of eight (bge-small-en-v1.5, two cores).
  return async (texts) => {
    const embedded = []
    for (const text of texts) {
      const tokens = await tokenizer([text], { padding: true, truncation: true, max_length: maxTokens })
      embedded.push(readVector(await model(tokens), Array.from(tokens.attention_mask.data, Number)))
    }
    return joinVectors(embedded)
  }
}

const refuseFetch = () => Promise.reject(new Error('This process only reads local files'))

const isQuantized = (path: string) => existsSync(join(path, 'onnx/model_quantized.onnx'))

// Some tokenizers have a limit of 10^30.
const leastOf = (limits: (number | undefined)[]) =>
  Math.min(...limits.map((limit) => (limit !== undefined && limit > 0 && limit < 1e6 ? limit : defaultMaxTokens)))

interface Embedded {
  vector: Float32Array
  tokens: number
}

/** Throws if the model doesn't return what the pooling needs. */
function readVector(outputs: Partial<Record<Output, Tensor>>, mask: number[]): Embedded {
  const tensor =
    pooling === 'model' ? outputs.sentence_embedding : (outputs.last_hidden_state ?? outputs.token_embeddings)
  if (tensor === undefined) throw new Error('The model has no such output')
  const vector = pooling === 'model' ? tensor.data : poolTokens(tensor, mask, pooling)
  return { vector, tokens: mask.filter((value) => value === 1).length }
}

function joinVectors(embedded: readonly Embedded[]): Reply {
  const dims = embedded[0]?.vector.length ?? 0
  const numbers = new Float32Array(embedded.length * dims)
  for (const [i, { vector }] of embedded.entries()) numbers.set(vector, i * dims)
  return { kind: 'vectors', numbers, dims, tokens: embedded.reduce((sum, { tokens }) => sum + tokens, 0) }
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
