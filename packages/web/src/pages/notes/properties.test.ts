import { expect, it } from 'vitest'
import { addProperty, readProperties, removeProperty, setProperty } from './properties.ts'

const block = `# Who is asked
owner: Ingrid
due: 2026-12-01
done: false
quoted: "a: b"
single: 'it''s'
people: [Ada, "Olaf, the elder"]
places:
  - Pier
  - Harbour
nested:
  a: 1
text: |
  two
  lines
empty:`

const values = () => Object.fromEntries((readProperties(block) ?? []).map(({ key, value }) => [key, value]))

it('reads texts, flags and lists, and leaves other values as written', () => {
  expect(values()).toEqual({
    owner: { kind: 'text', text: 'Ingrid' },
    due: { kind: 'text', text: '2026-12-01' },
    done: { kind: 'flag', isOn: false },
    quoted: { kind: 'text', text: 'a: b' },
    single: { kind: 'text', text: "it's" },
    people: { kind: 'list', items: ['Ada', 'Olaf, the elder'] },
    places: { kind: 'list', items: ['Pier', 'Harbour'] },
    nested: { kind: 'other', source: '  a: 1' },
    text: { kind: 'other', source: '|\n  two\n  lines' },
    empty: { kind: 'text', text: '' },
  })
})

it.each(['Only words', '- a\n- b', 'a: 1\nnot a property', '', '  indented: 1', '{a: 1}'])(
  'finds no properties in %j',
  (source) => expect(readProperties(source)).toBeUndefined(),
)

it('a change touches only the lines of its property', () => {
  const changed = setProperty(block, 'places', { kind: 'list', items: ['Pier', 'a: b'] })
  expect(changed).toBe(block.replace('  - Harbour', '  - "a: b"'))
  expect(setProperty(block, 'people', { kind: 'list', items: ['Ada', 'x, y'] })).toBe(
    block.replace('[Ada, "Olaf, the elder"]', '[Ada, "x, y"]'),
  )
  expect(setProperty(block, 'done', { kind: 'flag', isOn: true })).toBe(block.replace('done: false', 'done: true'))
  expect(setProperty(block, 'owner', { kind: 'text', text: '- Olaf' })).toBe(block.replace('Ingrid', '"- Olaf"'))
})

it('adds and removes properties', () => {
  expect(addProperty('a: 1', 'due date')).toBe('a: 1\ndue date:')
  expect(addProperty('', 'a: b')).toBe('"a: b":')
  expect(removeProperty('a:\n  - 1\n\nb: 2', 'a')).toBe('b: 2')
})

it.each([
  'x',
  'true story',
  '#tag',
  'a #b',
  "'",
  '"',
  '[x',
  'x: y',
  'x:',
  ' x ',
  '*',
  '2026-12-01',
  'line\nline',
  '-',
  '- a',
  '@a',
])('writes the value %j so that it is read again', (text) => {
  const written = setProperty('a: 1\nb: 2', 'a', { kind: 'text', text })
  expect(readProperties(written)).toMatchObject([
    { key: 'a', value: { kind: 'text', text } },
    { key: 'b', value: { kind: 'text', text: '2' } },
  ])
  const listed = setProperty('a: [1]\nb: 2', 'a', { kind: 'list', items: [text, 'z'] })
  expect(readProperties(listed)?.[0]?.value).toEqual({ kind: 'list', items: [text, 'z'] })
})
