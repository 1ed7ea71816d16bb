/** How long a new key works: a quarter unless somebody says otherwise. */
export const lifetimes = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'When it is revoked' },
] as const

export type Lifetime = (typeof lifetimes)[number]['value']

const dayMs = 86_400_000

/** Undefined: it has no end. */
export const expiryFrom = (lifetime: Lifetime, nowMs = Date.now()): string | undefined =>
  lifetime === 'never' ? undefined : new Date(nowMs + Number(lifetime) * dayMs).toISOString()
