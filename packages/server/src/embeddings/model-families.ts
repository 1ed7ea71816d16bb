import type { Pooling } from './pooling.ts'
import type { TextKind } from './provider.ts'

/** What is put in front of questions and of stored texts before the model reads them. Empty: nothing. */
export type Prefixes = Readonly<Record<TextKind, string>>

/** Models of one maker that were trained with the same prefixes and pooling. */
export interface Family {
  /** The model card that says so. */
  card: string
  prefixes: Prefixes
  pooling: Pooling
}

const none: Prefixes = { query: '', document: '' }
const e5: Prefixes = { query: 'query: ', document: 'passage: ' }
const represent: Prefixes = { query: 'Represent this sentence for searching relevant passages: ', document: '' }
const representChinese: Prefixes = { query: '为这个句子生成表示以用于检索相关文章：', document: '' }
const task = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'
const instructed: Prefixes = { query: `${task} `, document: '' }
const nomic: Prefixes = { query: 'search_query: ', document: 'search_document: ' }
const gemma: Prefixes = { query: 'task: search result | query: ', document: 'title: none | text: ' }

/**
 * As the model cards say; the first match counts. Names are those of Hugging Face, of Ollama and of files, such as
 * `BAAI/bge-small-en-v1.5`, `qwen3-embedding:0.6b` and `text-embedding-nomic-embed-text-v1.5`. Families without prefixes are here for
 * their pooling, and to show that they need none.
 */
const families: readonly (Family & { model: RegExp })[] = [
  {
    model: /\be5-mistral-7b-instruct\b/,
    card: 'intfloat/e5-mistral-7b-instruct',
    prefixes: instructed,
    pooling: 'last',
  },
  {
    model: /\be5-(small|base|large)-instruct\b/,
    card: 'intfloat/multilingual-e5-large-instruct',
    prefixes: instructed,
    pooling: 'mean',
  },
  { model: /\be5-(small|base|large)\b/, card: 'intfloat/e5-small-v2', prefixes: e5, pooling: 'mean' },
  { model: /\bbge-m3\b/, card: 'BAAI/bge-m3', prefixes: none, pooling: 'first' },
  {
    model: /\bbge-(small|base|large)-zh\b/,
    card: 'BAAI/bge-small-zh-v1.5',
    prefixes: representChinese,
    pooling: 'first',
  },
  // Ollama's `bge-large` is the English one.
  { model: /\bbge-(small|base|large)\b/, card: 'BAAI/bge-small-en-v1.5', prefixes: represent, pooling: 'first' },
  { model: /\bnomic-embed-text\b/, card: 'nomic-ai/nomic-embed-text-v1.5', prefixes: nomic, pooling: 'mean' },
  {
    model: /\bgte-qwen2-(1\.5b|7b)-instruct\b/,
    card: 'Alibaba-NLP/gte-Qwen2-1.5B-instruct',
    prefixes: instructed,
    pooling: 'last',
  },
  { model: /\bgte-modernbert\b/, card: 'Alibaba-NLP/gte-modernbert-base', prefixes: none, pooling: 'first' },
  {
    model: /\bgte-(multilingual-base|(base|large)-en-v1\.5)\b/,
    card: 'Alibaba-NLP/gte-base-en-v1.5',
    prefixes: none,
    pooling: 'first',
  },
  { model: /\bgte-(small|base|large)\b/, card: 'thenlper/gte-small', prefixes: none, pooling: 'mean' },
  {
    model: /\bmxbai-embed-large\b/,
    card: 'mixedbread-ai/mxbai-embed-large-v1',
    prefixes: represent,
    pooling: 'first',
  },
  {
    model: /\b(snowflake-arctic-embed2|arctic-embed-[ml]-v2\.0)\b/,
    card: 'Snowflake/snowflake-arctic-embed-l-v2.0',
    prefixes: { query: 'query: ', document: '' },
    pooling: 'first',
  },
  {
    model: /\barctic-embed\b/,
    card: 'Snowflake/snowflake-arctic-embed-m-v1.5',
    prefixes: represent,
    pooling: 'first',
  },
  { model: /\bembedding-?gemma\b/, card: 'google/embeddinggemma-300m', prefixes: gemma, pooling: 'mean' },
  {
    model: /\bqwen3-embedding\b/,
    card: 'Qwen/Qwen3-Embedding-0.6B',
    prefixes: { query: task, document: '' },
    pooling: 'last',
  },
  {
    model: /\bmulti-qa-mpnet-base-dot\b/,
    card: 'sentence-transformers/multi-qa-mpnet-base-dot-v1',
    prefixes: none,
    pooling: 'first',
  },
  {
    model: /\b(all|multi-qa|paraphrase)-(multilingual-)?(minilm|mpnet)\b/,
    card: 'sentence-transformers/all-MiniLM-L6-v2',
    prefixes: none,
    pooling: 'mean',
  },
]

/** By the model's name, in any case; folders are often called `BAAI_bge-small-en-v1.5`. Undefined for other models. */
export function findFamily(model: string): Family | undefined {
  const name = model.toLowerCase().replaceAll('_', '-')
  return families.find((family) => family.model.test(name))
}
