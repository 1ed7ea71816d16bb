import { expect, it } from 'vitest'
import { followTags, listTextTags } from './text-tags.ts'

it('finds tags where they are none of code, headings, numbers or addresses', () => {
  const text = '# Heading\n#one and (#two/deep) `#code` #12 #a1 https://a.example/#frag x#y\n```\n#fenced\n```\n- #One'
  expect(listTextTags(text)).toEqual(['one', 'two/deep', 'a1'])
})

it('leaves out the one that is still being typed', () => {
  expect(listTextTags('#on', 3)).toEqual([])
  expect(listTextTags('#on ', 4)).toEqual(['on'])
})

it('takes tags into a note and out of it as they come into its text and leave it', () => {
  expect(followTags(['by hand', 'old'], ['old'], ['new'])).toEqual(['by hand', 'new'])
  expect(followTags(['One'], [], ['one'])).toEqual(['One'])
  expect(followTags(['by hand'], ['in text before it was edited'], ['in text before it was edited'])).toEqual([
    'by hand',
  ])
})
