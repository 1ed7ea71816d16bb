// The part of the package @huggingface/transformers that the server uses, in a few lines: a token is a letter, and its numbers derive
// from its code. Texts that begin with a certain word make the model fail.
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
      return { last_hidden_state: { data, dims: [tokens.length, length, dims] } }
    }
    return Object.assign(run, { config })
  },
}
