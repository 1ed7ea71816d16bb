import { findExcess, hostileTexts, type MakeText } from '@holdfast/transfer/testing/hostile-texts'
import { listWikiTitles } from '@holdfast/transfer/text/wiki-links'
import { expect, it } from 'vitest'
import { readers } from './text-readers.ts'

it.each(Object.entries(hostileTexts))('the server reads %s in linear time', (_, make: MakeText) => {
  const slow = Object.entries(readers).flatMap(([name, read]) => {
    const excess = findExcess(read, make)
    return excess === undefined ? [] : `${name}: ${excess}`
  })
  expect(slow).toEqual([])
})

it('links beyond the limit are not read', () => {
  const links = Array.from({ length: 100 }, (_, at) => `[[b${at}]]`).join('')
  expect(listWikiTitles(links, 10)).toHaveLength(10)
  expect(listWikiTitles(links)).toHaveLength(100)
})
