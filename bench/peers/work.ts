import { createCorpus } from '../corpus.ts'
import type { Connection } from './peer.ts'

/** The same made-up texts and questions for every server. */

const corpus = createCorpus(20_261_130)

export const textAt = (number: number): string => corpus.memoryAt(number).content
export const questionAt = (number: number, size: number): string => corpus.questionAt(number, size)

export interface Written {
  id: string
  text: string
}

/** Writes texts one after the other. A server may refuse some, for example because it takes them for copies of others. */
export async function writeAll(connection: Connection, texts: readonly string[]) {
  const written: Written[] = []
  const refusals: string[] = []
  for (const text of texts) {
    try {
      written.push({ id: await connection.write(text), text })
    } catch (error) {
      refusals.push(String(error))
    }
  }
  if (written.length === 0) throw new Error(`It stored nothing: ${refusals[0]}`)
  return { written, refusals }
}

/** How many acknowledged texts can't be read by the ids that the server returned. */
export async function countLost(connection: Connection, written: readonly Written[]): Promise<number> {
  let lost = 0
  for (const { id, text } of written) if ((await connection.read(id)) !== text) lost++
  return lost
}
