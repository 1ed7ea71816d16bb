import type { KeyObject } from 'node:crypto'
import { hmacSha256, hmacTags } from './hash.ts'

/**
 * Keyed tags: equal values in one scope have equal tags, and without the scope's key a tag reveals nothing about its
 * value. Tags of different scopes never compare equal. Callers normalize first (case, form, stems).
 */

/** Length of a word's tag. */
const wordTagBytes = 8

/**
 * One 8-byte tag per word, concatenated in the given order: the first bytes of HMAC-SHA256(words key,
 * word in UTF-8). 64 bits are enough to rank by; they never prove that two words are equal.
 */
export const wordTags = (wordsKey: KeyObject, words: readonly string[]): Buffer =>
  hmacTags(wordsKey, words, wordTagBytes)

/**
 * 16 bytes of HMAC-SHA256(exact key, kind ‖ 0x00 ‖ value), for columns that are looked up by equality. `kind` is a
 * fixed word without 0x00 ("externalWriteId", "email"), so that equal values of different kinds do not match.
 */
export const exactTag = (exactKey: KeyObject, kind: string, value: string): Buffer =>
  hmacSha256(exactKey, kind, '\0', value).subarray(0, 16)
