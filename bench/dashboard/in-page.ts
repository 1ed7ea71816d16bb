/** What the page measures about itself. Times are in milliseconds. */
interface Probe {
  /** The sum of all layout shifts that no input explains. */
  shift: number
  /** What the person does now. */
  step: string
  /** From each key or click to the next paint, if that took at least `slowMs`. */
  inputs: { step: string; ms: number }[]
  /** Resolves once the page with this title shows its content, and an element of `part`. The time since the last click. */
  timeUntil(title: string, part?: string): Promise<number>
}

declare global {
  // oxlint-disable-next-line no-var -- the only way to declare a global
  var probe: Probe
}

/** The shortest input that browsers report. */
export const slowMs = 16

/** Runs in the page before its scripts, so it can't use anything from outside. */
export function installProbe(leastMs: number): void {
  let clickedMs = 0
  const longest = new Map<number, { step: string; ms: number }>()
  globalThis.probe = { shift: 0, step: '', inputs: [], timeUntil }

  function observe(type: string, onEntry: (entry: PerformanceEntry) => void): void {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) onEntry(entry)
    })
    observer.observe({ type, buffered: true, durationThreshold: leastMs } as PerformanceObserverInit)
  }

  observe('layout-shift', (entry) => {
    const { hadRecentInput, value } = entry as unknown as { hadRecentInput: boolean; value: number }
    if (!hadRecentInput) probe.shift += value
  })
  // A key or click is several events, of which the longest counts.
  observe('event', (entry) => {
    const { interactionId, duration } = entry as PerformanceEventTiming & { interactionId: number }
    if (interactionId === 0) return
    const known = longest.get(interactionId)
    if (known !== undefined) known.ms = Math.max(known.ms, duration)
    else {
      const input = { step: probe.step, ms: duration }
      longest.set(interactionId, input)
      probe.inputs.push(input)
    }
  })
  addEventListener('click', ({ timeStamp }) => void (clickedMs = timeStamp), { capture: true })

  function timeUntil(title: string, part = 'main'): Promise<number> {
    const isShown = () =>
      document.title === `${title} · Holdfast` &&
      document.querySelector('main .mantine-Skeleton-root') === null &&
      document.querySelector(part) !== null
    return new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isShown()) return
        observer.disconnect()
        // The first task after a frame runs once the frame is painted.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => resolve(performance.now() - clickedMs), { once: true })
          port1.start()
          port2.postMessage('')
        })
      })
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    })
  }
}
