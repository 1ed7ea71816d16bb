import { expect, it } from 'vitest'
import { followTags, listTextTags } from './text-tags.ts'

it('finds tags, but not in code, headings, numbers or URLs', () => {
  const text = '# Heading\n#one and (#two/deep) `#code` #12 #a1 https://a.example/#frag x#y\n```\n#fenced\n```\n- #One'
  expect(listTextTags(text)).toEqual(['one', 'two/deep', 'a1'])
})

it('leaves out the tag being typed', () => {
  expect(listTextTags('#on', 3)).toEqual([])
  expect(listTextTags('#on ', 4)).toEqual(['on'])
})

it('adds and removes tags as they appear in and disappear from the text', () => {
  expect(followTags(['by hand', 'old'], ['old'], ['new'])).toEqual(['by hand', 'new'])
  expect(followTags(['One'], [], ['one'])).toEqual(['One'])
  expect(followTags(['by hand'], ['in text before it was edited'], ['in text before it was edited'])).toEqual([
    'by hand',
  ])
})
