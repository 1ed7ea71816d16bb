import { describe, expect, it } from 'vitest'
import { findFamily } from './model-families.ts'

const represent = 'Represent this sentence for searching relevant passages: '
const task = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'

describe('findFamily', () => {
  it.each([
    ['intfloat/e5-small-v2', 'query: ', 'passage: ', 'mean'],
    ['multilingual-e5-base', 'query: ', 'passage: ', 'mean'],
    ['jeffh/intfloat-multilingual-e5-large:f16', 'query: ', 'passage: ', 'mean'],
    ['intfloat/multilingual-e5-large-instruct', `${task} `, '', 'mean'],
    ['e5-mistral-7b-instruct', `${task} `, '', 'last'],
    ['bge-small-en-v1.5', represent, '', 'first'],
    ['@cf/baai/bge-large-en-v1.5', represent, '', 'first'],
    ['BAAI/bge-base-zh-v1.5', '为这个句子生成表示以用于检索相关文章：', '', 'first'],
    ['bge-m3:latest', '', '', 'first'],
    ['nomic-embed-text', 'search_query: ', 'search_document: ', 'mean'],
    ['text-embedding-nomic-embed-text-v1.5', 'search_query: ', 'search_document: ', 'mean'],
    ['thenlper/gte-base', '', '', 'mean'],
    ['gte-base-en-v1.5', '', '', 'first'],
    ['Alibaba-NLP/gte-modernbert-base', '', '', 'first'],
    ['gte-Qwen2-1.5B-instruct', `${task} `, '', 'last'],
    ['mxbai-embed-large:335m', represent, '', 'first'],
    ['snowflake-arctic-embed:22m', represent, '', 'first'],
    ['Snowflake/snowflake-arctic-embed-m-v1.5', represent, '', 'first'],
    ['snowflake-arctic-embed2', 'query: ', '', 'first'],
    ['Snowflake/snowflake-arctic-embed-l-v2.0', 'query: ', '', 'first'],
    ['embeddinggemma:300m', 'task: search result | query: ', 'title: none | text: ', 'mean'],
    ['google/EmbeddingGemma-300m', 'task: search result | query: ', 'title: none | text: ', 'mean'],
    ['qwen3-embedding:0.6b', task, '', 'last'],
    ['hf.co/Qwen/Qwen3-Embedding-8B-GGUF:Q8_0', task, '', 'last'],
    ['sentence-transformers/all-mpnet-base-v2', '', '', 'mean'],
    ['all-minilm:l6-v2', '', '', 'mean'],
    ['multi-qa-MiniLM-L6-cos-v1', '', '', 'mean'],
    ['multi-qa-mpnet-base-dot-v1', '', '', 'first'],
    ['BAAI_bge-small-en-v1.5', represent, '', 'first'],
    ['nomic_embed_text', 'search_query: ', 'search_document: ', 'mean'],
  ])('knows how %s was trained', (model, query, document, pooling) => {
    expect(findFamily(model)).toMatchObject({ prefixes: { query, document }, pooling })
  })

  it.each([
    'text-embedding-3-small',
    'nomic-embed-code',
    'mxbai-embed-xsmall-v1',
    'deepset-mxbai-embed-de-large-v1',
    'bge-reranker-base',
    'qwen3:8b',
    'gemma3',
    'model',
  ])('assumes nothing about %s', (model) => {
    expect(findFamily(model)).toBeUndefined()
  })
})
