import type { Proof } from '../proof.ts'

/** How Holdfast answers a requirement of OWASP ASVS 5.0. */
export type Answer =
  /** `evidence` is tests, and places in the code or the documentation: a path from the root folder, with an anchor if it is a page. */
  | { state: 'met'; why: string; evidence: readonly (Proof | string)[] }
  /** Nothing of what the requirement is about exists here. */
  | { state: 'not applicable'; why: string }
  /** Also if it is met in part. `instead` is what reduces the risk. */
  | { state: 'not met'; why: string; instead: string; evidence: readonly (Proof | string)[] }

export interface Requirement {
  level: 1 | 2
  /** What it asks for, in our words. */
  name: string
  answer: Answer
}

/** The requirements of levels 1 and 2, by their number without the V. */
export interface Chapter {
  id: string
  name: string
  requirements: Readonly<Record<string, Requirement>>
}

type Evidence = readonly (Proof | string | readonly Proof[])[]

export const met = (why: string, ...evidence: Evidence): Answer => ({ state: 'met', why, evidence: evidence.flat() })

export const notApplicable = (why: string): Answer => ({ state: 'not applicable', why })

export const notMet = (why: string, instead: string, ...evidence: Evidence): Answer => ({
  state: 'not met',
  why,
  instead,
  evidence: evidence.flat(),
})

export const level1 = (name: string, answer: Answer): Requirement => ({ level: 1, name, answer })
export const level2 = (name: string, answer: Answer): Requirement => ({ level: 2, name, answer })
