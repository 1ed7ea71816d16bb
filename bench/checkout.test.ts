import { expect, it } from 'vitest'
import { checkOut } from './checkout.ts'

it.each(['no-such-branch', '0123456789012345678901234567890123456789', '--all', ''])(
  'says that "%s" is not a commit of this repository, before it installs anything',
  (commit) => {
    expect(() => checkOut(commit)).toThrow(`Commit "${commit}" is not in this repository. Fetch it first.`)
  },
)
