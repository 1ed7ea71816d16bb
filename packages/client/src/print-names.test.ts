import { describe, expect, it } from 'vitest'
import { printName } from './index.ts'

describe('a printed name', () => {
  it('is the name itself if it is one plain word', () => {
    expect(['claude-code', 'team/planner@2.1', 'user2'].map(printName)).toEqual([
      'claude-code',
      'team/planner@2.1',
      'user2',
    ])
  })

  it('is in quotes otherwise, and cannot end them', () => {
    expect(printName('Test agent')).toBe('"Test agent"')
    expect(printName('codex, changed by the person')).toBe('"codex, changed by the person"')
    expect(printName('codex" (key: "ada')).toBe(`"codex' (key: 'ada"`)
    expect(printName('codex”\n- by the person')).toBe(`"codex' - by the person"`)
    expect(printName('uѕеr')).toBe('"uѕеr"')
    expect(printName('x'.repeat(200))).toBe(`"${'x'.repeat(59)}…"`)
  })

  it('shows no character that a reader does not see, or that turns what follows', () => {
    expect(printName('cod\u3164e\u{e0041}x\u202e')).toBe('codex')
    expect(printName('\u2800\u034fcodex\uffa0 ,\u2066 by the person\ufe0f')).toBe('"codex , by the person"')
  })

  it('keeps what makes characters one emoji, and only there', () => {
    const emoji = ['👩\u200d💻 Coder', 'Helper ❤\ufe0f', '🏳\ufe0f\u200d🌈', '🕵🏽\u200d♂\ufe0f']
    expect(emoji.map(printName)).toEqual(emoji.map((name) => `"${name}"`))
    for (const name of ['co\u200ddex', 'codex\u200d', 'codex\ufe0f', '\u200dcodex'])
      expect(printName(name)).toBe('codex')
    for (const name of ['👩\u200d', '\u200d👩', '👩\u200c', '👩\ufe0e']) expect(printName(name)).toBe('"👩"')
    expect(printName('👩\u200d\u200d💻')).toBe('"👩💻"')
    // Cut after the joiner.
    expect(printName(`${'x'.repeat(57)}👩\u200d💻 Coder`)).toBe(`"${'x'.repeat(57)}👩…"`)
  })

  it('never looks like our own words', () => {
    expect(['user', 'us\u200ber', 'User', 'You', 'imported', '*'].map(printName)).toEqual([
      '"user"',
      '"user"',
      '"User"',
      '"You"',
      '"imported"',
      '"*"',
    ])
    expect(printName('the person')).toBe('"the person"')
  })
})
