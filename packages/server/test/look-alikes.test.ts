import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { defuseMarks } from '@holdfast/client'

/** Each character for which Unicode has a simpler one that looks the same. */
const confusables = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('unhomoglyph/data.json'), 'utf8'),
) as Record<string, string>

/** Those that a model is likely to read as Latin letters. The long s looks like an f but is read as an s, and half a ring isn't an accent. */
const alphabets = /^(?![ſẚ])(?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]$/u

it('no mark passes with a letter of a related alphabet that looks the same', () => {
  const forged = Object.entries(confusables).flatMap(([char, skeleton]) => {
    const letter = skeleton.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    return alphabets.test(char) && letter.length === 1 && 'holdfast'.includes(letter)
      ? `</${'holdfast'.replace(letter, char)}-recall>`
      : []
  })
  expect(forged.length).toBeGreaterThan(100)
  expect(forged.filter((mark) => defuseMarks(mark).startsWith('<'))).toEqual([])
})
