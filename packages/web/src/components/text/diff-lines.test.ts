import { describe, expect, it } from 'vitest'
import { diffLines } from './diff-lines.ts'

const print = (older: string, newer: string) =>
  diffLines(older, newer).map(
    ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+', unchanged: '…' }[kind]}${text}`,
  )

describe('the lines that differ', () => {
  it('are none in equal texts', () => {
    expect(print('a\nb\nc', 'a\nb\nc')).toEqual(['…3 unchanged lines'])
  })

  it('are shown with the lines around them; longer unchanged stretches are folded', () => {
    expect(print('1\n2\n3\n4\n5\n6\n7', '1\n2\n3\n4\n5\nsix\n7')).toEqual([
      '…3 unchanged lines',
      ' 4',
      ' 5',
      '-6',
      '+six',
      ' 7',
    ])
  })

  it('do not include lines that both texts have in the same order', () => {
    expect(print('a\nb\nc\nd', 'x\nb\nd\ny')).toEqual(['-a', '+x', ' b', '-c', ' d', '+y'])
  })

  it('are shown for texts that were or become empty', () => {
    expect(print('', 'a')).toEqual(['+a'])
    expect(print('a', '')).toEqual(['-a'])
  })

  it('are all lines of texts with too many changes to compare', () => {
    const [before, after] = ['old', 'new'].map((word) =>
      Array.from({ length: 2_100 }, (_, n) => `${word} ${n}`).join('\n'),
    )
    const lines = diffLines(before ?? '', after ?? '')
    expect(['removed', 'added'].map((kind) => lines.filter((line) => line.kind === kind).length)).toEqual([
      2_100, 2_100,
    ])
  })
})
