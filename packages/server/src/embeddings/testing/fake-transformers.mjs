// The part of the package @huggingface/transformers that the server uses, in a few lines: a token is a letter, and its numbers derive
// from its code. Texts that begin with a certain word make the model fail. `outputs` in config.json lists what the model returns.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const dims = 16

export const env = {}

const readConfig = (name) => {
  if (env.allowRemoteModels !== false) throw new Error('would fetch the model')
  return JSON.parse(readFileSync(join(env.localModelPath, name, 'config.json'), 'utf8'))
}

export const AutoTokenizer = {
  async from_pretrained(name) {
    const tokenize = (texts, { max_length: maxTokens }) => {
      const tokens = texts.map((text) => Array.from(text, (letter) => letter.codePointAt(0)).slice(0, maxTokens))
      const length = Math.max(...tokens.map((row) => row.length))
      const mask = tokens.flatMap((row) => Array.from({ length }, (_, at) => BigInt(at < row.length)))
      return { texts, tokens, length, attention_mask: { data: BigInt64Array.from(mask) } }
    }
    return Object.assign(tokenize, { model_max_length: readConfig(name).model_max_length })
  },
}

const numberOf = (code, i) => Math.sin((code + 1) * (i + 1) * 12.9898)

/** As in the package, its fields can't be copied. */
class Tensor {
  #numbers
  #shape

  constructor(numbers, shape) {
    this.#numbers = numbers
    this.#shape = shape
  }

  get data() {
    return this.#numbers
  }

  get dims() {
    return this.#shape
  }
}

export const AutoModel = {
  async from_pretrained(name) {
    const config = readConfig(name)
    const run = async ({ texts, tokens, length }) => {
      if (texts[0].startsWith('crash')) process.abort()
      if (texts[0].startsWith('hang')) await new Promise((resolve) => setTimeout(resolve, 60_000))
      if (texts[0].startsWith('fail')) throw new Error(`cannot take ${texts[0]}`)
      const data = new Float32Array(tokens.length * length * dims)
      tokens.forEach((row, text) =>
        row.forEach((code, at) => {
          for (let i = 0; i < dims; i++) data[(text * length + at) * dims + i] = numberOf(code, i)
        }),
      )
      if (texts[0].startsWith('nan')) data.fill(NaN)
      const ofTokens = new Tensor(data, [tokens.length, length, dims])
      // A text's own output: the numbers of its second letter.
      const second = tokens.flatMap((row) => Array.from({ length: dims }, (_, i) => numberOf(row[1] ?? 0, i)))
      const ofTexts = new Tensor(Float32Array.from(second), [tokens.length, dims])
      const all = { last_hidden_state: ofTokens, token_embeddings: ofTokens, sentence_embedding: ofTexts }
      const { outputs = ['last_hidden_state'] } = config
      return Object.fromEntries(outputs.map((output) => [output, all[output]]))
    }
    return Object.assign(run, { config })
  },
}
