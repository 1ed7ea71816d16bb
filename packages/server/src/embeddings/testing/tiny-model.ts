import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A real model in the ONNX format for tests, of some kilobytes: each token has a row of numbers that do not depend on its
 * neighbors. Everything around the weights is as in all-MiniLM-L6-v2: the files, the WordPiece tokenizer, the tensors.
 */
export function writeTinyModel(folder: string, { dims = 32, maxTokens = 64, pools = false } = {}): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, 'onnx/model.onnx'), tableModel({ rows: vocabulary.length, dims, pools }))
  const config = { model_type: 'bert', architectures: ['BertModel'], hidden_size: dims, max_position_embeddings: 512 }
  writeJson(folder, 'config.json', { ...config, vocab_size: vocabulary.length })
  writeJson(folder, 'tokenizer.json', tokenizer())
  const special = {
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    pad_token: '[PAD]',
    mask_token: '[MASK]',
  }
  writeJson(folder, 'tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    do_lower_case: true,
    model_max_length: maxTokens,
    ...special,
  })
}

const writeJson = (folder: string, file: string, value: unknown) =>
  writeFileSync(join(folder, file), JSON.stringify(value))

const letters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789')
const vocabulary = [
  ...'[PAD] [UNK] [CLS] [SEP] [MASK] . , ? the is of was on day report where north town harbour'.split(' '),
  ...'violin glacier ledger tax figures quarterly inspected'.split(' '),
  ...letters,
  ...letters.map((letter) => `##${letter}`),
]

const token = (id: string, typeId = 0) => ({ SpecialToken: { id, type_id: typeId } })

const tokenizer = () => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: vocabulary.slice(0, 5).map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [token('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, token('[SEP]')],
    pair: [token('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
  },
})

/**
 * onnx.proto: ModelProto { ir_version 1, graph 7, opset_import 8 } around one node, Gather(table, input_ids). With `pools`, another one
 * averages the tokens of a text, with padding.
 */
function tableModel({ rows, dims, pools }: { rows: number; dims: number; pools: boolean }): Buffer {
  const table = message(int(1, rows), int(1, dims), int(2, 1), bytes(8, 'table'), bytes(9, tableNumbers(rows * dims)))
  const node = message(bytes(1, 'table'), bytes(1, 'input_ids'), bytes(2, 'last_hidden_state'), bytes(4, 'Gather'))
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
    bytes(11, tensorInfo(name, 7, ['batch', 'length'])),
  )
  const output = bytes(12, tensorInfo('last_hidden_state', 1, ['batch', 'length', dims]))
  const average = message(
    bytes(1, 'last_hidden_state'),
    bytes(2, 'sentence_embedding'),
    bytes(4, 'ReduceMean'),
    bytes(5, message(bytes(1, 'axes'), int(8, 1), int(20, 7))),
    bytes(5, message(bytes(1, 'keepdims'), int(3, 0), int(20, 2))),
  )
  const nodes = pools ? [bytes(1, node), bytes(1, average)] : [bytes(1, node)]
  const pooled = pools ? [bytes(12, tensorInfo('sentence_embedding', 1, ['batch', dims]))] : []
  const graph = message(...nodes, bytes(2, 'tiny'), bytes(5, table), ...inputs, output, ...pooled)
  return message(int(1, 8), bytes(7, graph), bytes(8, int(2, 17)))
}

/** Unordered numbers between -1 and 1, the same each time, as float32. */
const tableNumbers = (count: number): Buffer =>
  Buffer.from(Float32Array.from({ length: count }, (_, i) => (Math.sin(i + 1) * 43_758.5453) % 1).buffer)

const tensorInfo = (name: string, type: number, dims: (string | number)[]): Buffer => {
  const shape = dims.map((dim) => bytes(1, typeof dim === 'number' ? int(1, dim) : bytes(2, dim)))
  return message(bytes(1, name), bytes(2, bytes(1, message(int(1, type), bytes(2, message(...shape))))))
}

/** Protocol buffers: integer and bytes fields. */
const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields)
const int = (field: number, value: number): Buffer => Buffer.from([...varint(field * 8), ...varint(value)])
const bytes = (field: number, value: Buffer | string): Buffer => {
  const content = Buffer.from(value)
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(content.length)]), content])
}
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
