import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startProcessorClock } from '../../test/processor-time.ts'
import { countWords, indexWords, leftOutWords, tokenize, tokenizing } from './tokenize.ts'
import { processorMs } from '../../test/processor-time.ts'

describe('tokenize', () => {
  it('lower-cases, stems and drops stop words', () => {
    expect(tokenize('The dogs were running in the Parks')).toEqual(['dog', 'run', 'park'])
  })

  it('splits contractions and possessives', () => {
    expect(tokenize("Caroline's dog couldn’t run, we'll see")).toEqual(['carolin', 'dog', 'run', 'see'])
  })

  it('keeps names with an apostrophe as one word', () => {
    expect(tokenize("O'Brien")).toEqual(['obrien'])
  })

  it('returns identifiers as a whole and in parts, alternative forms last', () => {
    expect(tokenize('user_name in src/http.ts')).toEqual([
      'user',
      'name',
      'src',
      'http',
      'ts',
      'user_name',
      'src/http.ts',
    ])
    expect(tokenize('getUserById')).toEqual(['getuserbyid', 'get', 'user', 'id'])
    expect(tokenize('v1.2.3')).toEqual(['v1', '2', '3', 'v1.2.3'])
    expect(tokenize('ann@example.com')).toEqual(['ann', 'exampl', 'com', 'ann@example.com'])
  })

  it('distinguishes C, C++ and C#', () => {
    expect(tokenize('C++')).toEqual(['c', 'c++'])
    expect(tokenize('C#')).toEqual(['c', 'c#'])
  })

  it('cuts scripts without spaces into pairs of characters', () => {
    expect(tokenize('東京タワー')).toEqual(['東京', '京タ', 'タワ', 'ワー'])
    expect(tokenize('猫')).toEqual(['猫'])
    expect(tokenize('𠀀𠀁')).toEqual(['𠀀𠀁'])
  })

  it.each([
    ['Russian', 'отменили поездки бабушкам', 'отменилась поездка бабушки'],
    ['Greek', 'οι σκύλοι στα σπίτια', 'οι σκύλος στα σπίτι'],
    ['Arabic', 'مدرسة', 'المدرسة'],
    ['Hindi', 'चाबियाँ', 'चाबी'],
  ])('stems %s', (_, inflected, other) => {
    expect(tokenize(inflected)).toEqual(tokenize(other))
  })

  it('keeps й apart from и, as stems do, but not ё from е', () => {
    expect(tokenize('новый')).toEqual(tokenize('новая'))
    expect(tokenize('её мёд')).toEqual(tokenize('ее мед'))
  })

  it('folds accents and compatibility forms', () => {
    expect(tokenize('Zoë ＡＢＣ')).toEqual(tokenize('zoe abc'))
  })

  it.each([
    ['Arabic vowels, hamza and stretched letters', 'دواءُ الجدّةِ أحمـــد', 'دواء الجدة احمد'],
    ['Hebrew vowels', 'שָׁלוֹם', 'שלום'],
  ])('folds %s, which are often left out', (_, written, plain) => {
    expect(tokenize(written)).toEqual(tokenize(plain))
  })

  it('keeps words of scripts with vowel signs whole', () => {
    expect(tokenize('हिन्दी भाषा')).toHaveLength(2)
  })

  it('reads ASCII the same with and without other characters', () => {
    const ascii = fc.string({ unit: fc.constantFrom(..."aZbz09-_./@:\\'+&# \n".split('')), maxLength: 30 })
    const check = (text: string) => {
      const beside = tokenize(`${text} x 猫`).map((word) => (word === '猫' ? 'qqq' : word))
      expect(tokenize(`${text} x qqq`)).toEqual(beside)
    }
    fc.assert(fc.property(ascii, check), { numRuns: 2_000 })
  })

  it('falls back to stop words if a text has no others, and returns nothing for signs', () => {
    expect(tokenize('Who are you?')).toEqual(['who', 'are', 'you'])
    expect(tokenize('?! … 😀')).toEqual([])
  })

  it('expands a symbol that stands for a phrase to no more than a letter would be', () => {
    expect(tokenize('محمد ﷺ ﷻ')).toEqual(['محمد'])
    expect(tokenize('ﷺ'.repeat(1000))).toEqual([])
  })

  it('yields to other work within a long text, and cuts no word', () => {
    const sentences = ['Zoë met getUserById in src/http.ts, twice;', '我们在东京见面。', "the dogs'  café—isn't"]
    const text = Array.from({ length: 3000 }, (_, i) => `${sentences[i % 3]}\u3000${i}`).join('\n')
    const one = sentences.map((sentence, i) => tokenize(`${sentence}\u3000${i}`)).map((words) => words.length)
    const work = tokenizing(text)
    let pieces = 1
    let step = work.next()
    for (; step.done !== true; step = work.next()) pieces++
    expect(pieces).toBeGreaterThan(6)
    expect(step.value).toHaveLength(one.reduce((sum, count) => sum + count, 0) * 1000)
    expect(new Set(step.value).size).toBe(new Set(sentences.flatMap(tokenize)).size + 3000)
  })

  const length = 100_000
  const hostile: Record<string, string> = {
    'one letter': 'a'.repeat(length),
    'combining marks out of order': `e${'\u0301\u0316'.repeat(length / 2)}`,
    emoji: '😀'.repeat(length / 2),
    'joined letters': 'a.'.repeat(length / 2),
    'changing case': 'aB'.repeat(length / 2),
    'Chinese without spaces': '我'.repeat(length),
    'mixed scripts': 'a我'.repeat(length / 2),
    'signs that stand for phrases': 'ﷺ'.repeat(length),
    'joined words and apostrophes': "a-'".repeat(length / 3),
    'short Arabic words': 'ال '.repeat(length / 3),
    'long Greek words': `${'φ'.repeat(64)} `.repeat(length / 65),
    'Russian words': 'отменилась '.repeat(length / 11),
  }
  for (const [name, text] of Object.entries(hostile)) {
    it(`takes linear time on ${name}`, () => {
      const half = timeOf(() => indexWords(text.slice(0, length / 2)))
      const whole = timeOf(() => indexWords(text))
      // Quadratic time would be four times as long; the constant forgives a busy machine.
      expect(whole).toBeLessThan(half * 3 + 100)
    })
  }
})

/** Best of three, because other tests run at the same time. */
function timeOf(work: () => unknown): number {
  return Math.min(...[0, 1, 2].map(() => processorMs(work)))
}

describe('a text is found by', () => {
  it.each([
    [
      'its words, then single characters that can be words',
      '喝茶和喝水',
      ['喝茶', '茶和', '和喝', '喝水', '喝', '茶', '和', '水'],
    ],
    ['no single letters of an alphabet or syllables', 'กุญแจ ひらがな', ['กุ', 'ุญ', 'ญแ', 'แจ', 'ひら', 'らが', 'がな']],
    ['a character that stands alone only once', '茶，绿茶', ['茶', '绿茶', '绿']],
    ['its words if it has none of these scripts', 'Zoë runs', ['zoe', 'run']],
    ['Korean characters that are written in parts', '죽을'.normalize('NFD'), ['죽을', '죽', '을']],
  ])('%s', (_, text, words) => {
    expect(indexWords(text)).toEqual(words)
  })
})

it('leaves something of each word of any script', () => {
  const scripts = ['αεζηιΐστωρ', 'абвгийоуыьяюё', 'اأإةيىوهنتلكم', 'अआकचतनपमयरलवसिीुेैंः', 'אבהויםןתש']
  const word = fc
    .constantFrom(...scripts)
    .chain((letters) => fc.string({ unit: fc.constantFrom(...letters.split('')), maxLength: 70 }))
  fc.assert(
    fc.property(word, (text) => {
      expect(tokenize(text)).not.toContain('')
    }),
    { numRuns: 5_000 },
  )
  expect(['αεί', 'Ίσα'].map(tokenize)).toEqual([['αει'], ['ισα']])
})

describe('leftOutWords', () => {
  it('returns the words that tokenize drops, in lower case, each once', () => {
    expect(leftOutWords("What's THE plan, and why isn't the plan “mine”?")).toEqual([
      "what's",
      'the',
      'and',
      'why',
      "isn't",
      'mine',
    ])
  })

  it('is empty for a text that is kept as a whole', () => {
    expect(leftOutWords('to be or not to be')).toEqual([])
    expect(leftOutWords('')).toEqual([])
  })
})

describe('words are counted', () => {
  it.each([
    ['', 0],
    ['--- ** ---', 0],
    ["Don't count well-known snake_case twice.", 5],
    ['日本語 text', 4],
    ['3.5 Äpfel', 3],
    ['한국어 단어', 2],
  ])('in %j', (text, words) => {
    expect(countWords(text)).toBe(words)
  })

  it('in linear time', () => {
    const usedMs = startProcessorClock()
    for (const part of ['-', "'", 'a-', '日', 'a ']) countWords(part.repeat(250_000))
    expect(usedMs()).toBeLessThan(2000)
  })
})
