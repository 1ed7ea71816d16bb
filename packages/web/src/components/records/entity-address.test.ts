import { expect, it } from 'vitest'
import { fragmentOf, nameIn } from './entity-address.ts'

it('keeps any name, also after the router has decoded the fragment', () => {
  for (const name of ['Ada Lovelace', '東京', 'a/b?c#d', '100% ~ sure', 'C:\\x', '%20', 'Ζωή ُ'])
    for (const fragment of [fragmentOf(name), decodeURIComponent(fragmentOf(name))])
      expect([fragment, nameIn(fragment)]).toEqual([fragmentOf(name), name.trim()])
})

it('reads a name that a person typed', () => {
  expect(nameIn('Ada%20Lovelace')).toBe('Ada Lovelace')
  expect(nameIn('100%')).toBe('100%')
})
