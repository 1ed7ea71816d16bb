import { describe, expect, it, onTestFinished } from 'vitest'
import { embeddingDims, startEmbeddingEndpoint } from './embedding-endpoint.ts'

describe('startEmbeddingEndpoint', () => {
  it('answers like an OpenAI endpoint, with numbers or base64', async () => {
    const endpoint = await startEmbeddingEndpoint()
    onTestFinished(() => endpoint.close())
    const embed = async (more: object) => {
      const body = JSON.stringify({ input: ['Ada waters the ferns.', 'It rains.'], ...more })
      const response = await fetch(`${endpoint.url}/embeddings`, { method: 'POST', body })
      return (await response.json()) as { data: { embedding: number[] | string }[] }
    }
    const plain = (await embed({})).data.map(({ embedding }) => embedding as number[])
    expect(plain.map((vector) => vector.length)).toEqual([embeddingDims, embeddingDims])
    expect(Math.hypot(...(plain[0] ?? []))).toBeCloseTo(1)
    const packed = (await embed({ encoding_format: 'base64' })).data.map(({ embedding }) => embedding as string)
    const unpacked = packed.map((text) => [...new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)])
    expect(unpacked).toEqual(plain)
  })
})
