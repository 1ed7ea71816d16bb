/** The typed arrays that grow here; all are owned by their caller. */
type Growable = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/**
 * The same array when it is long enough, else a longer one with the same contents. Grows by a quarter: these arrays are
 * large, and half as much again would cost more memory than the rarer copies save time.
 */
export function grow<A extends Growable>(array: A, length: number): A {
  if (length <= array.length) return array
  const Constructor = array.constructor as new (length: number) => A
  const grown = new Constructor(Math.max(length, Math.ceil(array.length * 1.25), 16))
  grown.set(array)
  // What is left behind may hold keyed words: wiped at once, not when the collector comes by.
  array.fill(0)
  return grown
}
