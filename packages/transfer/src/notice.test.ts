import { expect, it } from 'vitest'
import { describeNotice } from './notice.ts'

it('describes what was skipped in one line that is right for every count', () => {
  const what = 'attachments and other files, not imported (.png)'
  expect(describeNotice({ what, count: 1, examples: ['bed.png'] })).toBe(
    'Attachments and other files, not imported (.png): 1 (bed.png)',
  )
  expect(describeNotice({ what, count: 3, examples: ['bed.png', 'fern.png'] })).toBe(
    'Attachments and other files, not imported (.png): 3 (bed.png, fern.png, …)',
  )
})
