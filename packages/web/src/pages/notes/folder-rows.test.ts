import type { Folder } from '@holdfast/client/dashboard'
import { expect, it } from 'vitest'
import { listRows } from './folder-rows.ts'

const folder = (id: string, parentId: string | null, noteCount: number) => ({ id, parentId, noteCount }) as Folder
const folders = [
  folder('a', null, 1),
  folder('b', 'a', 2),
  folder('c', 'b', 4),
  folder('d', 'a', 8),
  folder('e', null, 16),
]
const rows = (...closed: string[]) =>
  listRows(folders, new Set(closed)).map((row) => [row.folder.id, row.level, row.noteCount])

it('lists folders with their level and all notes below them', () => {
  expect(rows()).toEqual([
    ['a', 1, 15],
    ['b', 2, 6],
    ['c', 3, 4],
    ['d', 2, 8],
    ['e', 1, 16],
  ])
  expect(listRows(folders, new Set()).map(({ hasFolders }) => hasFolders)).toEqual([true, true, false, false, false])
})

it('leaves out folders inside a closed one', () => {
  expect(rows('b')).toEqual([
    ['a', 1, 15],
    ['b', 2, 6],
    ['d', 2, 8],
    ['e', 1, 16],
  ])
  expect(rows('a')).toEqual([
    ['a', 1, 15],
    ['e', 1, 16],
  ])
})
