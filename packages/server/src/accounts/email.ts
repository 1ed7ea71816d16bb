import { z } from 'zod'
import { exactTag } from '../crypto/blind.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { Instance } from '../instance/instance.ts'

export const email = z
  .string()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'not an e-mail address')
  .describe('E-mail address; upper and lower case count as the same.')

/** By which a person is found; without the instance's key it tells nothing about the address. */
export const emailTag = (instance: Instance, address: string): Buffer =>
  exactTag(tagKeys(instance.keys).exact, 'email', address.toLowerCase())
