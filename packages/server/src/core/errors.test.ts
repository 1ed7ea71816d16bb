import { describe, expect, it } from 'vitest'
import * as errors from './errors.ts'

describe('invalid', () => {
  it('puts the first problem with its field into the message and lists every problem in fields', () => {
    const error = errors.invalid({ 'a.b': 'too long', c: 'required' })
    expect(error).toMatchObject({
      code: 'invalid',
      message: 'Validation failed: a.b: too long',
      fields: { 'a.b': 'too long', c: 'required' },
    })
  })

  it('omits the field if the problem is the whole body', () => {
    expect(errors.invalid({ '': 'the body must be a JSON object' }).message).toBe(
      'Validation failed: the body must be a JSON object',
    )
  })

  it('still has a message if no field is named', () => {
    expect(errors.invalid({}).message).toBe('Validation failed: bad request')
  })
})

describe('every error for a caller', () => {
  it('has the code and the text that callers rely on', () => {
    const made = [
      errors.unauthenticated(),
      errors.missingScope('write'),
      errors.vaultDenied(),
      errors.inactiveIntegration(),
      errors.encryptionNotConfigured(),
      errors.notFound('Memory'),
      errors.rateLimited(7),
      errors.unavailable('the disk is full'),
    ]
    expect(made.map(({ code, message }) => [code, message])).toEqual([
      ['unauthenticated', 'Invalid or missing agent key'],
      ['scope_denied', 'SCOPE_DENIED: this key lacks the "write" permission'],
      ['vault_denied', 'SCOPE_DENIED: this key has no access to the requested vault'],
      ['inactive_integration', 'Integration is inactive'],
      [
        'encryption_not_configured',
        'Integration encryption is not configured. Re-create the integration from the dashboard.',
      ],
      ['not_found', 'Memory not found'],
      ['rate_limited', 'Too many requests'],
      ['unavailable', 'Temporarily unavailable: the disk is full'],
    ])
  })

  it('says when to try again if waiting helps', () => {
    expect(errors.rateLimited(7).retryAfterSeconds).toBe(7)
    expect(errors.unavailable('busy').retryAfterSeconds).toBe(5)
    expect(errors.overloaded('busy', 1).retryAfterSeconds).toBe(1)
  })

  it('keeps its cause for the log', () => {
    const cause = new Error('inside')
    expect(errors.unavailable('busy', { cause }).cause).toBe(cause)
    expect('cause' in errors.notFound('Memory')).toBe(false)
  })
})
