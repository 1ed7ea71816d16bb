import { describe, expect, it } from 'vitest'
import { nouns, others, rows, verbs } from './same-words.ts'
import { keyOf } from './word-forms.ts'

describe('the words that stand for each other', () => {
  it('are each in one line, of two words at least', () => {
    const lines = rows([verbs, nouns, others].join('\n'), '\n')
    const words = lines.flat()
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
    expect(lines.filter(({ length }) => length < 2)).toEqual([])
  })

  it('have the endings of verbs only where they are verbs', () => {
    expect([keyOf('purchased'), keyOf('bought'), keyOf('purchases'), keyOf('buys')]).toEqual([
      'buy past',
      'buy past',
      'buy s',
      'buy s',
    ])
    expect([keyOf('kids'), keyOf('children')]).toEqual(['child s', 'child s'])
    expect([keyOf('filming'), keyOf('kidding'), keyOf('depts')]).toEqual(['filming', 'kidding', 'department s'])
  })
})
