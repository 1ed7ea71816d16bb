import { describe, expect, it } from 'vitest'
import { imitatesReservedName, lookAlike } from './reserved-names.ts'

describe('a name imitates a reserved one', () => {
  it.each([
    ['as it is', ['user', '*', 'you', 'the person', 'holdfast', 'the template', 'imported', 'deleted']],
    ['in another case or width', ['User', 'USER', 'The Person', 'ｕｓｅｒ', '＊', 'HOLDFAST', 'Imported']],
    ['with blanks', ['user ', ' user', 'user\u00a0', 'u s e r', 'the  person', 'theperson', '\u3000you']],
    [
      'with invisible characters',
      ['us\u200ber', 'us\u00ader', 'user\u2060', '\u202euser', 'user\ufe0f', 'us\u{e0061}er', 'user\u3164'],
    ],
    [
      'with accents and punctuation',
      ['usér', 'u\u0332ser', '"user"', '(user)', 'user.', '@user', 'the-person', '[you]', '* *', '**'],
    ],
    [
      'in letters of other scripts',
      ['uѕеr', 'υsеr', 'тhe реrsоn', 'ТНЕ РЕRЅОΝ', 'уоu', 'ｙｏu', '𝐮𝐬𝐞𝐫', '𝓎ℴ𝓊', '∗', '⁎'],
    ],
    ['in letters that look alike in one script', ['hoIdfast', 'ho1dfast', 'ho|dfast', 'y0u', 'irnported', 'lmported']],
    ['or contains one', ['codex, by the person', 'The person’s laptop', 'by-the-person-2', 'changed by тhe реrsоn']],
    ['or like nothing', [' ', '\u200b', '\u00ad\u2060', '\u3164']],
  ])('%s', (_, names) => {
    expect(names.filter((name) => !imitatesReservedName(name))).toEqual([])
  })

  it('but not if a reader sees another name', () => {
    const names = [
      'users',
      'user-agent',
      'user 2',
      'superuser',
      'youth',
      'personal',
      'holdfast-cli',
      'claude-code',
      '客服',
      'Пользователь',
    ]
    const others = [
      '🤖',
      '-',
      'me',
      'importer',
      'template-writer',
      'undeleted',
      'a person’s laptop',
      'usual',
      'a*',
      '*.js',
    ]
    expect([...names, ...others].filter((name) => imitatesReservedName(name))).toEqual([])
  })
})

it('two names look alike if a reader can take one for the other', () => {
  const pairs = [
    ['planner', 'Planner '],
    ['planner', 'pl\u200banner'],
    ['planner', 'рlаnnеr'],
    ['agent-l', 'agent-1'],
  ] as const
  expect(pairs.filter(([a, b]) => !lookAlike(a, b))).toEqual([])
  expect([lookAlike('worker-1', 'worker1'), lookAlike('planner', 'planner2')]).toEqual([false, false])
})
