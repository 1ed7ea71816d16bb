/**
 * Limits a failing endpoint to one attempt a minute until one succeeds. Deliveries are only delayed: nothing but its owner
 * turns a subscription off.
 */
export interface Window {
  windowStartedAt: number
  windowAttempts: number
  windowFailures: number
  heldUntil: number | null
}

const windowMs = 5 * 60_000
const minAttempts = 10
const maxFailureShare = 0.7
export const probeEveryMs = 60_000

export const openWindow: Window = { windowStartedAt: 0, windowAttempts: 0, windowFailures: 0, heldUntil: null }

export function nextWindow(before: Window, { isAccepted, now }: { isAccepted: boolean; now: number }): Window {
  if (before.heldUntil !== null)
    return isAccepted ? { ...openWindow, windowStartedAt: now } : { ...before, heldUntil: now + probeEveryMs }
  const isOld = Math.abs(now - before.windowStartedAt) >= windowMs
  const window = isOld ? { ...openWindow, windowStartedAt: now } : before
  const windowAttempts = window.windowAttempts + 1
  const windowFailures = window.windowFailures + (isAccepted ? 0 : 1)
  const isBroken = windowAttempts >= minAttempts && windowFailures >= maxFailureShare * windowAttempts
  return { ...window, windowAttempts, windowFailures, heldUntil: isBroken ? now + probeEveryMs : null }
}
