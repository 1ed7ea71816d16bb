/** How figures are written in tables and sentences. */

export const whole = (value: number) => Math.round(value).toLocaleString('en')
export const megabytes = (bytes: number) => Math.round(bytes / 1e6)
/** Milliseconds. */
export const precise = (ms: number) => ms.toFixed(2)
export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
