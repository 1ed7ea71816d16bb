import type { ProposedChange, ReviewItem } from '@holdfast/client/dashboard'
import { describe, expect, it } from 'vitest'
import { describeEffect, isMoot } from './describe-effect.ts'

const nowMs = Date.parse('2026-11-26T12:00:00Z')
const proposal = (effect: ProposedChange['effect'], isOutdated = false) => ({ effect, isOutdated }) as ProposedChange
const change = (field: ReviewItem['changes'][number]['field'], after: string | null) => ({
  field,
  before: null,
  after,
  isCut: false,
})

describe('what accepting a proposal does', () => {
  it('says what happens to the record', () => {
    const text = change('content', 'The pier is closed.')
    const describing = (effect: ProposedChange['effect'], changes: ReviewItem['changes']) =>
      describeEffect(proposal(effect), changes, nowMs)
    expect(describing('change', [text])).toBeUndefined()
    expect(describing('change', [text, change('importance', '5')])).toBeUndefined()
    expect(describing('change', [])).toBe('Accepting changes where it is, not its text.')
    expect(describing('change', [change('expiresAt', '2027-01-01T00:00:00Z')])).toBeUndefined()
    expect(describing('change', [change('expiresAt', null)])).toBeUndefined()
    expect(describing('supersede', [text])).toBe('Accepting stores a new memory that replaces this one:')
    expect(describing('archive', [])).toBe('Accepting archives it: searches stop finding it.')
  })

  it('says if searches stop finding it, because its new expiry date has passed', () => {
    const expired = [change('content', 'x'), change('expiresAt', '2020-01-01T00:00:00Z')]
    expect(describeEffect(proposal('change'), expired, nowMs)).toBe(
      'Accepting lets it expire at once: searches stop finding it.',
    )
    expect(describeEffect(proposal('supersede'), expired, nowMs)).toContain('searches find neither')
  })

  it('is nothing if someone made the same change since', () => {
    expect(isMoot(proposal('change', true), [])).toBe(true)
    expect(isMoot(proposal('change', true), [change('content', 'x')])).toBe(false)
    expect(isMoot(proposal('archive', true), [])).toBe(false)
    // Such as a move to another folder.
    expect(isMoot(proposal('change', false), [])).toBe(false)
  })
})
