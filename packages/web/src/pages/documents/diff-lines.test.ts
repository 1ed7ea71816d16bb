import { describe, expect, it } from 'vitest'
import { diffLines } from './diff-lines.ts'

const print = (older: string, newer: string) =>
  diffLines(older, newer).map(
    ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+', unchanged: '…' }[kind]}${text}`,
  )

describe('what differs between two texts', () => {
  it('is nothing where they are alike', () => {
    expect(print('a\nb\nc', 'a\nb\nc')).toEqual(['…3 lines alike'])
  })

  it('is shown with the lines around it, and what is far is folded', () => {
    expect(print('1\n2\n3\n4\n5\n6\n7', '1\n2\n3\n4\n5\nsix\n7')).toEqual([
      '…3 lines alike',
      ' 4',
      ' 5',
      '-6',
      '+six',
      ' 7',
    ])
  })

  it('keeps what both have in common, in its order', () => {
    expect(print('a\nb\nc\nd', 'x\nb\nd\ny')).toEqual(['-a', '+x', ' b', '-c', ' d', '+y'])
  })

  it('begins from nothing and ends with nothing', () => {
    expect(print('', 'a')).toEqual(['-', '+a'])
    expect(print('a', '')).toEqual(['-a', '+'])
  })

  it('loses no line of texts that are too long to be compared', () => {
    const [before, after] = ['old', 'new'].map((word) =>
      Array.from({ length: 2_100 }, (_, n) => `${word} ${n}`).join('\n'),
    )
    const lines = diffLines(before ?? '', after ?? '')
    expect(['removed', 'added'].map((kind) => lines.filter((line) => line.kind === kind).length)).toEqual([
      2_100, 2_100,
    ])
  })
})
