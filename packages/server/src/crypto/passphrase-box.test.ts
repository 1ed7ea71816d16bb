import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { BoxError, boxHeaderBytes, isBox, openBox, sealUnderPassphrase } from './passphrase-box.ts'

const passphrase = 'violets under a wet stone'

// The header sets the cost of guessing a passphrase. Tests of the format use a low one.
const weak = { memoryKiB: 64, passes: 1, lanes: 1 }

async function seal(plaintext: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = []
  const cut = async function* () {
    for (let at = 0; at < plaintext.length; at += 50_000) yield plaintext.subarray(at, at + 50_000)
  }
  for await (const piece of sealUnderPassphrase(passphrase, cut(), weak)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function open(sealed: Buffer, given = passphrase): Promise<Buffer> {
  const box = await openBox(given, sealed.length, async (start, bytes) => sealed.subarray(start, start + bytes))
  const pieces: Buffer[] = []
  for (let at = 0; at < box.plainBytes; at += pieces.at(-1)?.length ?? 0) pieces.push(await box.read(at))
  return Buffer.concat(pieces)
}

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (error: unknown) => (error instanceof BoxError ? error.kind : String(error)),
  )

const chunk = 65_536

describe('a file under a passphrase', () => {
  it.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk + 7])('returns its %i bytes', async (length) => {
    const plaintext = randomBytes(length)
    const sealed = await seal(plaintext)
    expect(isBox(sealed)).toBe(true)
    expect(sealed.length).toBe(boxHeaderBytes + length + 16 * Math.max(1, Math.ceil(length / chunk)))
    expect((await open(sealed)).equals(plaintext)).toBe(true)
  })

  it('makes each guess at a passphrase cost 256 MiB and three passes', async () => {
    const sealed: Buffer[] = []
    for await (const piece of sealUnderPassphrase(passphrase, Readable.from([Buffer.from('x')]))) sealed.push(piece)
    const file = Buffer.concat(sealed)
    expect([8, 12, 16].map((at) => file.readUInt32BE(at))).toEqual([256 * 1024, 3, 1])
    expect((await open(file)).toString()).toBe('x')
  })

  it('can be read from any position', async () => {
    const plaintext = randomBytes(2 * chunk + 5)
    const sealed = await seal(plaintext)
    const box = await openBox(passphrase, sealed.length, async (start, bytes) => sealed.subarray(start, start + bytes))
    for (const at of [0, 5, chunk - 1, chunk, 2 * chunk + 4]) {
      const piece = await box.read(at)
      expect(piece.equals(plaintext.subarray(at, at + piece.length))).toBe(true)
    }
  })

  it('opens a chunk once for consecutive reads of it', async () => {
    const sealed = await seal(randomBytes(2 * chunk))
    let reads = 0
    const box = await openBox(passphrase, sealed.length, async (start, bytes) => {
      reads++
      return sealed.subarray(start, start + bytes)
    })
    reads = 0
    for (let at = 0; at < chunk; at += 1000) await box.read(at)
    expect(reads).toBe(1)
    await box.read(chunk)
    expect(reads).toBe(2)
  })

  it('distinguishes a wrong passphrase from a file that was truncated, changed or reassembled', async () => {
    const sealed = await seal(randomBytes(3 * chunk))
    expect(await kindOf(open(sealed, 'another'))).toBe('passphrase')
    expect(await kindOf(open(sealed.subarray(0, -1)))).toBe('damaged')
    expect(await kindOf(open(sealed.subarray(0, boxHeaderBytes + 2 * (chunk + 16))))).toBe('damaged')
    expect(await kindOf(open(sealed.subarray(0, 20)))).toBe('damaged')
    const swapped = Buffer.from(sealed)
    sealed.copy(swapped, boxHeaderBytes, boxHeaderBytes + chunk + 16, boxHeaderBytes + 2 * (chunk + 16))
    expect(await kindOf(open(swapped))).toBe('damaged')
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(boxHeaderBytes + chunk + 20) ^ 1, boxHeaderBytes + chunk + 20)
    expect(await kindOf(open(changed))).toBe('damaged')
  })

  it('rejects a header that asks for more memory than a machine has', async () => {
    const sealed = await seal(Buffer.from('x'))
    sealed.writeUInt32BE(0xff_ff_ff_ff, 8)
    expect(await kindOf(open(sealed))).toBe('damaged')
  })

  it('accepts a passphrase in any Unicode form, and never encrypts the same way twice', async () => {
    const [one, other] = [await seal(Buffer.from('x')), await seal(Buffer.from('x'))]
    expect(one.equals(other)).toBe(false)
    expect((await open(one, passphrase.normalize('NFD'))).toString()).toBe('x')
  })
})
