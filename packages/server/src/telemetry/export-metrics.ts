import type { Meter } from '@opentelemetry/api'
import type { MetricObject } from 'prom-client'
import type { Metrics, Mirror } from '../metrics/metrics.ts'

/** Sends gauges and counters as they are in `/metrics`, under the same names. */
export async function exportMetrics(meter: Meter, { families }: Pick<Metrics, 'families'>): Promise<void> {
  const instruments = new Map(
    (await families()).flatMap(({ name, help: description, type }) => {
      if (isOf(type, 'gauge')) return [[name, meter.createObservableGauge(name, { description })] as const]
      if (isOf(type, 'counter')) return [[name, meter.createObservableCounter(name, { description })] as const]
      return []
    }),
  )
  meter.addBatchObservableCallback(
    async (result) => {
      for (const { name, values } of await families()) {
        const instrument = instruments.get(name)
        if (instrument !== undefined)
          for (const { value, labels } of values) result.observe(instrument, value, { ...labels })
      }
    },
    [...instruments.values()],
  )
}

// The package's types say that these are numbers.
const isOf = (type: MetricObject['type'], name: string) => String(type) === name

/** Histograms can't be read later, so each value is recorded twice. */
export const createMirror =
  (meter: Meter): Mirror =>
  ({ name, help, buckets }) => {
    const advice = { explicitBucketBoundaries: [...buckets] }
    const histogram = meter.createHistogram(name, { description: help, unit: 's', advice })
    return (labels, seconds) => histogram.record(seconds, labels)
  }
