import { describe, expect, it } from 'vitest'
import { findSignals } from './signals.ts'

const defaultThreshold = 3

// Texts that must be examined, with the words that show it.
const telling: [string, string[]][] = [
  ['Remember that the office is closed on Fridays.', ['remember']],
  ['Please don’t forget to bring the adapter', ['don’t forget']],
  ['Always run the linter before you commit', ['always']],
  ['NEVER push to main', ['never']],
  ['We decided to use PostgreSQL because it is boring.', ['decided', 'because']],
  ['I prefer tabs over spaces', ['prefer']],
  ["No, that's wrong. It is port 5433.", ["that's wrong"]],
  ['My name is Zoë', ['my name is']],
  ['The root cause was a race in src/db/pool.ts', ['root cause', 'src/db/pool.ts']],
  ['The release is due on 2026-12-01', ['due on', '2026-12-01']],
  ['All endpoints must validate their input, this is important', ['must', 'important']],
  // Corrections in plain words.
  ['No, the port is 8443, not 8080.', ['no, the port is']],
  ['The port is 8443, not 8080.', ['is 8443, not 8080']],
  ["It's 8443, not 8080", ["it's 8443, not 8080"]],
  ['Hm. No, the build runs on Jenkins', ['no, the build runs']],
  ['Actually the meeting is on Monday', ['actually', 'actually the meeting is']],
  ['Do not use npm; use pnpm.', ['do not use npm; use pnpm']],
  ["Don't use npm, use pnpm instead", ["don't use npm, use pnpm"]],
  ['Use pnpm, not npm', ['use pnpm, not npm']],
  ['Use pnpm instead of npm', ['use pnpm instead of npm']],
  ['That is wrong: deploys go through Jenkins', ['that is wrong']],
  ['You are wrong: we deploy with Helm', ['you are wrong']],
  ['Merk dir, dass ich morgens keine Termine mag', ['merk dir']],
  ['Ich bevorzuge kurze Antworten', ['bevorzuge']],
  ['Bitte niemals direkt auf main pushen', ['niemals']],
  ['Wir haben uns für Go entschieden', ['entschieden']],
  ['Souviens-toi que je suis végétarien', ['souviens-toi']],
  ['N’oubliez pas la réunion', ['n’oubliez pas']],
  ['Je préfère le café', ['préfère']],
  ['Recuerda que vivo en Bogotá', ['recuerda', 'vivo en']],
  ['Siempre usa comillas simples', ['siempre']],
  ['Hemos decidido usar Rust', ['decidido']],
  ['Lembre-se de que prefiro respostas curtas', ['lembre', 'prefiro']],
  ['Nunca apague os logs', ['nunca']],
  ['Ricordati che sono allergico', ['ricordati']],
  ['Non usare mai la forza', ['non usare mai']],
  ['请记住，我喜欢喝茶', ['记住', '喜欢']],
  ['我们决定使用PostgreSQL', ['决定']],
  ['以后都用中文回答', ['以后都']],
  ['コーヒーより紅茶のほうが好きです', ['好き']],
  ['必ずテストを実行してください', ['必ず']],
  ['毎週金曜日は休みだと覚えておいて', ['覚えて']],
]

// Texts that may be skipped.
const idle = [
  'Thanks!',
  'ok',
  'Can you look at the second file?',
  'What time is it in Tokyo',
  'Here is the summary of the article.',
  'The function returns a list of users.',
  'No, thanks.',
  'No problem.',
  "No, that's fine",
  "It's fine, not only for me",
  'Do not use it.',
  'Use tabs in this file.',
  "Don't worry; use whatever",
  'Danke dir!',
  'Peux-tu ouvrir la fenêtre ?',
  '¿Qué hora es?',
  'Obrigado!',
  '谢谢',
  'ありがとうございます',
  '',
]

describe('signals', () => {
  it.each(telling)('are found in %j', (text, keywords) => {
    const found = findSignals(text)
    expect(found.keywords.toSorted()).toEqual(expect.arrayContaining(keywords.toSorted()))
    expect(found.score).toBeGreaterThanOrEqual(defaultThreshold)
    for (const keyword of found.keywords) expect(text.toLowerCase()).toContain(keyword)
  })

  it.each(idle)('are not enough in %j', (text) => {
    expect(findSignals(text).score).toBeLessThan(defaultThreshold)
  })

  it('are whole words, whatever their case, accents and apostrophes', () => {
    expect(findSignals('A mustard seed and a nevertheless').keywords).toEqual([])
    expect(findSignals('ALWAYS').keywords).toEqual(['always'])
    expect(findSignals('Je prefere').keywords).toEqual(['prefere'])
    expect(findSignals('do not forget').score).toEqual(findSignals('don’t forget').score)
  })

  it('count once each and end at ten', () => {
    expect(findSignals('always always always')).toEqual({ score: 3, keywords: ['always'] })
    const all = telling.map(([text]) => text).join(' ')
    expect(findSignals(all).score).toBe(10)
  })

  it('treats custom keywords literally, never as patterns', () => {
    expect(findSignals('The ticket is open', ['ticket'])).toEqual({ score: 3, keywords: ['ticket'] })
    expect(findSignals('The tickets are open', ['ticket']).keywords).toEqual([])
    expect(findSignals('Use C++ here', ['c++']).keywords).toEqual(['c++'])
    expect(findSignals('abc', ['a.c', '.*', '(', '[a-z]+']).keywords).toEqual([])
    expect(findSignals('literally .* here', ['.*']).keywords).toEqual(['.*'])
    expect(findSignals('今日は会議がある', ['会議']).keywords).toEqual(['会議'])
    expect(findSignals('Größe zählt', ['GRÖSSE', 'größe']).keywords).toEqual(['größe'])
    expect(findSignals('nothing', ['', '  ']).keywords).toEqual([])
    expect(findSignals('the deploy key', ['deploy', 'deploy key', 'key', 'eploy']).keywords).toEqual([
      'deploy',
      'deploy key',
      'key',
    ])
  })

  it('are found in linear time, whatever the text', () => {
    const size = 50_000
    const hostile = [
      'a',
      '/',
      'a/',
      '`',
      'never '.slice(0, 5),
      'do not ',
      'non a ',
      '1',
      '1.',
      '年',
      '́',
      'é',
      "n'",
      'we will go wit',
      'no, a',
      'use ',
      'do not use a',
      'is a',
      'actually a',
      '@a',
      'a@',
      '~.',
    ]
    const keywords = [
      ...Array.from({ length: 50 }, (_, n) => 'a'.repeat(50 + n)),
      'b'.padEnd(100, 'a'),
      'a'.repeat(99) + 'b',
    ]
    for (const part of hostile) {
      const text = part.repeat(Math.ceil(size / part.length)).slice(0, size)
      const before = performance.now()
      findSignals(text, keywords)
      expect([part, performance.now() - before < 1000]).toEqual([part, true])
    }
  })
})
