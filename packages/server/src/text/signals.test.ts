import { describe, expect, it } from 'vitest'
import { withoutRecalled } from './recall-marks.ts'
import { findSignals } from './signals.ts'

const defaultThreshold = 3

// What must be looked at, and by which words.
const telling: [string, string[]][] = [
  ['Remember that the office is closed on Fridays.', ['remember']],
  ['Please don’t forget to bring the adapter', ['remember']],
  ['Always run the linter before you commit', ['always']],
  ['NEVER push to main', ['never']],
  ['We decided to use PostgreSQL because it is boring.', ['decided', 'because']],
  ['I prefer tabs over spaces', ['prefer']],
  ["No, that's wrong. It is port 5433.", ['correction']],
  ['My name is Zoë', ['identity']],
  ['The root cause was a race in src/db/pool.ts', ['fixed', 'code path']],
  ['The release is due on 2026-12-01', ['deadline', 'date']],
  ['All endpoints must validate their input, this is important', ['must', 'important']],
  ['Merk dir, dass ich morgens keine Termine mag', ['remember']],
  ['Ich bevorzuge kurze Antworten', ['prefer']],
  ['Bitte niemals direkt auf main pushen', ['never']],
  ['Wir haben uns für Go entschieden', ['decided']],
  ['Souviens-toi que je suis végétarien', ['remember']],
  ['N’oubliez pas la réunion', ['remember']],
  ['Je préfère le café', ['prefer']],
  ['Recuerda que vivo en Bogotá', ['remember', 'identity']],
  ['Siempre usa comillas simples', ['always']],
  ['Hemos decidido usar Rust', ['decided']],
  ['Lembre-se de que prefiro respostas curtas', ['remember', 'prefer']],
  ['Nunca apague os logs', ['never']],
  ['Ricordati che sono allergico', ['remember']],
  ['Non usare mai la forza', ['never']],
  ['请记住，我喜欢喝茶', ['remember', 'prefer']],
  ['我们决定使用PostgreSQL', ['decided']],
  ['以后都用中文回答', ['always']],
  ['コーヒーより紅茶のほうが好きです', ['prefer']],
  ['必ずテストを実行してください', ['always']],
  ['毎週金曜日は休みだと覚えておいて', ['remember']],
]

// What may pass by.
const idle = [
  'Thanks!',
  'ok',
  'Can you look at the second file?',
  'What time is it in Tokyo',
  'Here is the summary of the article.',
  'The function returns a list of users.',
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
  })

  it.each(idle)('are not enough in %j', (text) => {
    expect(findSignals(text).score).toBeLessThan(defaultThreshold)
  })

  it('are whole words, whatever their case, accents and apostrophes', () => {
    expect(findSignals('A mustard seed and a nevertheless').keywords).toEqual([])
    expect(findSignals('ALWAYS').keywords).toEqual(['always'])
    expect(findSignals('Je prefere').keywords).toEqual(['prefer'])
    expect(findSignals('do not forget').keywords).toEqual(findSignals('don’t forget').keywords)
  })

  it('count once each and end at ten', () => {
    expect(findSignals('always always always')).toEqual({ score: 3, keywords: ['always'] })
    const all = telling.map(([text]) => text).join(' ')
    expect(findSignals(all).score).toBe(10)
  })

  it('take words of the caller as they are, never as patterns', () => {
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

describe('recalled text', () => {
  it('is left out between its marks', () => {
    expect(withoutRecalled('plain')).toBe('plain')
    expect(withoutRecalled('a <holdfast-recall vault="x">always</holdfast-recall> b')).toBe('a \n b')
    expect(withoutRecalled('<holdfast-recall>1</holdfast-recall>x<holdfast-recall>2</holdfast-recall>')).toBe('\nx\n')
    expect(withoutRecalled('a <holdfast-recall>never closed: always')).toBe('a ')
  })

  it('is found in linear time', () => {
    const before = performance.now()
    withoutRecalled('<holdfast-recall'.repeat(10_000))
    withoutRecalled('<holdfast-recall</holdfast-recall>'.repeat(10_000))
    expect(performance.now() - before).toBeLessThan(500)
  })
})
