import { expect, it } from 'vitest'
import { hasHidden, isBlank, withoutHidden } from './hidden-characters.ts'

/** One of each kind: zero width, joiners, directions, isolates, fillers, blanks, variation selectors, tags, line separators. */
const hiddenCharacters = [
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2064\u2066\u2069\u206f',
  '\u2800\u3164\ufe00\ufe0e\ufe0f\ufeff\uffa0\ufff9\u{1d159}\u{e0001}\u{e0041}\u{e007f}\u{e0100}\u2028\u2029',
].flatMap((characters) => Array.from(characters))

it('finds and removes characters that no reader sees, wherever they are', () => {
  for (const one of hiddenCharacters)
    for (const name of [`cod${one}ex`, `${one}codex`, `codex${one}`, `1${one}`, `codex 🦊${one}${one}`]) {
      const isNeeded = name.startsWith('codex 🦊') && one === '\ufe0f'
      expect([name, hasHidden(name)]).toEqual([name, true])
      expect(withoutHidden(name)).toBe(isNeeded ? 'codex 🦊\ufe0f' : name.replaceAll(one, ''))
    }
})

it('keeps them where they make emoji and letters what they are', () => {
  const names = [
    '👩‍💻 Coder',
    '❤️',
    '🏳️‍🌈',
    '👩🏽‍🚀',
    '🕵🏽‍♂️ spy',
    '1️⃣ first',
    'می‌خواهم',
    'क्‍ष',
    'Ada’s agent – №2',
    'アダ',
    'Zoë',
    '',
  ]
  expect(names.filter((name) => hasHidden(name))).toEqual([])
})

it('takes joiners that join nothing for hidden', () => {
  for (const name of ['a\u200db', '👩\u200d', '\u200d💻', '👩\u200d\u200d💻', 'ا\u200cب', 'می\u200cx', '7\ufe0f'])
    expect([name, hasHidden(name)]).toEqual([name, true])
})

it('takes a text for blank in which a reader sees nothing, and for a text whatever shows one character', () => {
  for (const text of ['', ' \n\t\u00a0', ...hiddenCharacters, hiddenCharacters.join(' ')])
    expect([text, isBlank(text)]).toEqual([text, true])
  for (const text of ['.', '❤️', '👩‍💻', '1️⃣', 'می‌خواهم', '\u200ba\u200b', '\u0600', '\u001b'])
    expect([text, isBlank(text)]).toEqual([text, false])
})
