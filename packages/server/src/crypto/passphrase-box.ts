import { randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { gcmOpen, gcmSeal, nonceBytes, tagBytes } from './gcm.ts'
import { keyFromBytes } from './keys.ts'

/**
 * Encrypts a file with a passphrase, in chunks that can be read independently.
 *
 * Header: `HFXPRT01`, then three unsigned big-endian 32-bit numbers (argon2id's memory in KiB, passes, lanes), then 16 random
 * bytes of salt. Then chunks of 65,536 bytes, the last one shorter or empty, each with its 16-byte tag: AES-256-GCM under the
 * key that argon2id derives from passphrase (NFKC) and salt. The nonce of chunk n is a byte (1 for the last chunk, else 0), seven
 * zero bytes, and n as 32 bits; the header is the associated data of each chunk. So moved, missing and truncated chunks are
 * detected. No key is used for two files, because each file has its own salt.
 */

const magic = Buffer.from('HFXPRT01')
const saltBytes = 16
export const boxHeaderBytes = magic.length + 12 + saltBytes
const chunkBytes = 65_536
const sealedChunkBytes = chunkBytes + tagBytes

/** Like passwords (`accounts/password.ts`) but with four times the memory: it runs once per file, and anyone with the file can guess without limit. */
const usualStrength = { memoryKiB: 256 * 1024, passes: 3, lanes: 1 }
/** The maximum that a header may request: opening a file must not exhaust the machine. */
const strongest = { memoryKiB: 1024 * 1024, passes: 10, lanes: 4 }

type Strength = typeof usualStrength

/** Yields the header, then the chunks. */
export async function* sealUnderPassphrase(
  passphrase: string,
  plaintext: AsyncIterable<Uint8Array>,
  strength: Strength = usualStrength,
): AsyncGenerator<Buffer> {
  const header = Buffer.concat([magic, Buffer.alloc(12), randomBytes(saltBytes)])
  header.writeUInt32BE(strength.memoryKiB, magic.length)
  header.writeUInt32BE(strength.passes, magic.length + 4)
  header.writeUInt32BE(strength.lanes, magic.length + 8)
  const key = await keyOf(passphrase, header, strength)
  yield header
  let chunk = 0
  let waiting: Buffer = Buffer.alloc(0)
  for await (const piece of plaintext) {
    waiting = Buffer.concat([waiting, piece])
    // A full chunk waits for more: it may be the last one.
    for (; waiting.length > chunkBytes; waiting = waiting.subarray(chunkBytes))
      yield gcmSeal(key, nonceOf(chunk++, false), header, waiting.subarray(0, chunkBytes))
  }
  yield gcmSeal(key, nonceOf(chunk, true), header, waiting)
}

export const isBox = (start: Uint8Array): boolean => magic.equals(start.subarray(0, magic.length))

export interface OpenBox {
  plainBytes: number
  /** Returns 1 byte up to a chunk from `start`. Throws a BoxError if the chunk was changed. */
  read(start: number): Promise<Buffer>
}

export class BoxError extends Error {
  readonly kind: 'passphrase' | 'damaged'

  constructor(kind: BoxError['kind']) {
    super(kind === 'passphrase' ? 'the passphrase is wrong' : 'the file was cut off or changed')
    this.name = 'BoxError'
    this.kind = kind
  }
}

/** `read` returns a range of the file's bytes. Throws a BoxError if the passphrase is wrong or the file is truncated. */
export async function openBox(
  passphrase: string,
  fileBytes: number,
  read: (start: number, bytes: number) => Promise<Buffer>,
): Promise<OpenBox> {
  if (fileBytes < boxHeaderBytes + tagBytes) throw new BoxError('damaged')
  const header = await read(0, boxHeaderBytes)
  const key = await keyOf(passphrase, header, strengthIn(header))
  const sealedBytes = fileBytes - boxHeaderBytes
  const chunks = Math.ceil(sealedBytes / sealedChunkBytes)
  const open = async (chunk: number): Promise<Buffer | undefined> => {
    const start = chunk * sealedChunkBytes
    const sealed = await read(boxHeaderBytes + start, Math.min(sealedChunkBytes, sealedBytes - start))
    return gcmOpen(key, nonceOf(chunk, chunk === chunks - 1), header, sealed)
  }
  // If the last chunk opens, the file is complete. If only the first one opens, the passphrase is right.
  if ((await open(chunks - 1)) === undefined) {
    const first = gcmOpen(
      key,
      nonceOf(0, false),
      header,
      await read(boxHeaderBytes, Math.min(sealedChunkBytes, sealedBytes)),
    )
    throw new BoxError(first === undefined ? 'passphrase' : 'damaged')
  }
  // Reading a zip file requests a few bytes at a time, mostly from one chunk, so keep the last one.
  let last: { chunk: number; plaintext: Buffer } | undefined
  return {
    plainBytes: sealedBytes - chunks * tagBytes,
    async read(start) {
      const chunk = Math.floor(start / chunkBytes)
      const plaintext = last?.chunk === chunk ? last.plaintext : await open(chunk)
      if (plaintext === undefined) throw new BoxError('damaged')
      last = { chunk, plaintext }
      return plaintext.subarray(start - chunk * chunkBytes)
    },
  }
}

function strengthIn(header: Buffer): Strength {
  const given = {
    memoryKiB: header.readUInt32BE(magic.length),
    passes: header.readUInt32BE(magic.length + 4),
    lanes: header.readUInt32BE(magic.length + 8),
  }
  const isSane =
    isBox(header) &&
    given.memoryKiB >= 8 * given.lanes &&
    given.memoryKiB <= strongest.memoryKiB &&
    given.passes >= 1 &&
    given.passes <= strongest.passes &&
    given.lanes >= 1 &&
    given.lanes <= strongest.lanes
  if (!isSane) throw new BoxError('damaged')
  return given
}

async function keyOf(passphrase: string, header: Buffer, { memoryKiB, passes, lanes }: Strength): Promise<KeyObject> {
  const { hashRaw } = await import('@node-rs/argon2')
  const bytes = await hashRaw(passphrase.normalize('NFKC'), {
    // Its default is argon2id.
    memoryCost: memoryKiB,
    timeCost: passes,
    parallelism: lanes,
    outputLen: 32,
    salt: header.subarray(boxHeaderBytes - saltBytes),
  })
  try {
    return keyFromBytes(bytes)
  } finally {
    bytes.fill(0)
  }
}

function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeUInt8(isLast ? 1 : 0)
  nonce.writeUInt32BE(chunk, nonceBytes - 4)
  return nonce
}
