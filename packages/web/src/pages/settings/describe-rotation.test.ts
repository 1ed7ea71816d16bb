import { describe, expect, it } from 'vitest'
import { describeRotation, type VaultKeys } from './describe-rotation.ts'

const nowMs = Date.parse('2026-11-26T12:00:00Z')

function described(step: 'announced' | 'sealing' | 'kept', counts: { rowsDone: number; rowsTotal: number }): string {
  const nextStepAt = step === 'sealing' ? null : '2026-11-26T12:04:30Z'
  const vault = { userId: 'ada', vaultId: 'main', step, nextStepAt, ...counts }
  return describeRotation(keysWith([vault], counts), nowMs)
}

const keysWith = (changing: VaultKeys['changing'], counts = { rowsDone: 0, rowsTotal: 0 }): VaultKeys => ({
  askedAt: '2026-11-26T12:00:00Z',
  stuck: 0,
  stuckScopes: [],
  total: 2,
  left: 2,
  changing,
  ...counts,
})

describe('the progress of a rotation of the keys of vaults', () => {
  it('counts rows only while they are encrypted again', () => {
    const none = { rowsDone: 0, rowsTotal: 0 }
    const some = { rowsDone: 1200, rowsTotal: 4100 }
    expect(described('announced', none)).toBe(
      'The new keys come into use in 4 minutes. Then everything is encrypted again.',
    )
    expect(described('sealing', none)).toBe('The server is counting the rows to encrypt again.')
    expect(described('sealing', some)).toBe('1,200 of 4,100 rows are encrypted with the new keys.')
    expect(described('kept', { rowsDone: 4100, rowsTotal: 4100 })).toBe(
      'Everything is encrypted with the new keys. The old keys are deleted in 4 minutes at the earliest.',
    )
  })

  it('says so if no vault has a new key yet, and if the next step is due', () => {
    expect(describeRotation(keysWith([]), nowMs)).toBe('The server is creating the new keys.')
    const due = { userId: 'ada', vaultId: null, step: 'announced', rowsDone: 0, rowsTotal: 0 } as const
    expect(describeRotation(keysWith([{ ...due, nextStepAt: '2026-11-26T11:59:58Z' }]), nowMs)).toContain('in a moment')
  })
})
