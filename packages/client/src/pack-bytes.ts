/** Compresses bytes (zlib) and prints them as base64. */
export async function packBytes(bytes: Uint8Array): Promise<string> {
  const packed = await pipe(bytes, new CompressionStream('deflate'))
  // One call for all of them would have too many arguments.
  const pieces = Array.from({ length: Math.ceil(packed.length / pieceLength) }, (_, at) =>
    String.fromCharCode(...packed.subarray(at * pieceLength, (at + 1) * pieceLength)),
  )
  return btoa(pieces.join(''))
}

const pieceLength = 32_768

export async function unpackBytes(text: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0)
  return pipe(packed, new DecompressionStream('deflate'))
}

async function pipe(bytes: Uint8Array, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(through)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
