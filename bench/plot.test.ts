import { describe, expect, it } from 'vitest'
import { drawPlot, type Plot } from './plot.ts'

type Point = readonly [number, number]

const plot = (points: readonly Point[], isLogarithmic = false): Plot => ({
  title: 'A vault grows',
  x: { label: 'memories', isLogarithmic },
  y: { label: 'milliseconds', isLogarithmic },
  lines: [{ name: 'search p50', points }],
})

/** The texts of a class, each with its place. */
const textsOf = (image: string, kind: string) =>
  [...image.matchAll(new RegExp(`<text class="${kind}" x="([\\d.]+)" y="([\\d.]+)">([^<]*)<`, 'g'))].map(
    ([, x, y, text = '']) => ({ text, x: Number(x), y: Number(y) }),
  )

const ticksAcross = (image: string) => textsOf(image, 'middle').slice(0, -1)
const ticksUp = (image: string) => textsOf(image, 'end')

/** Where the first line goes. */
function pathOf(image: string): Point[] {
  const [, path = ''] = /<path class="line c0" d="M([\d. L]+)"/.exec(image.slice(image.indexOf('class="grid"'))) ?? []
  return path.split('L').map((place) => place.split(' ').map(Number) as unknown as Point)
}

const distances = (values: readonly number[]) => values.slice(1).map((value, at) => value - (values[at] ?? 0))

describe('drawPlot', () => {
  it('draws a point where the axes have its values', () => {
    const image = drawPlot(
      plot([
        [0, 0],
        [20, 40],
        [60, 100],
      ]),
    )
    const x = ticksAcross(image).find(({ text }) => text === '20')?.x
    const y = ticksUp(image).find(({ text }) => text === '40')?.y
    const [, [pointX, pointY] = []] = pathOf(image)
    expect(pointX).toBe(x)
    // The text is a little below the line that it names.
    expect(pointY).toBe((y ?? 0) - 4)
  })

  it('gives each factor of ten the same distance on a logarithmic axis', () => {
    const image = drawPlot(
      plot(
        [
          [1_000, 1],
          [10_000, 10],
          [100_000, 100],
          [1_000_000, 1_000],
        ],
        true,
      ),
    )
    expect(ticksAcross(image).map(({ text }) => text)).toEqual(['1,000', '10,000', '100,000', '1,000,000'])
    const [across, up] = [pathOf(image).map(([x]) => x), pathOf(image).map(([, y]) => y)].map(distances)
    for (const distance of across ?? []) expect(distance).toBeCloseTo(across?.[0] ?? 0, 0)
    for (const distance of up ?? []) expect(distance).toBeCloseTo(up?.[0] ?? 0, 0)
    expect(across?.[0]).toBeGreaterThan(100)
    // Larger values are higher up.
    expect(up?.[0]).toBeLessThan(-50)
  })

  it('has room for the numbers of both axes', () => {
    const image = drawPlot(
      plot(
        [
          [1_000, 1_000],
          [1_000_000, 1_000_000],
        ],
        true,
      ),
    )
    // The widest digits of 13 px that a common font has.
    const digitWidth = 8
    const viewWidth = Number(/viewBox="0 0 (\d+)/.exec(image)?.[1])
    const lastAcross = ticksAcross(image).at(-1)
    expect((lastAcross?.x ?? 0) + ((lastAcross?.text.length ?? 0) * digitWidth) / 2).toBeLessThan(viewWidth)
    // On its left is the name of the axis.
    for (const { x, text } of ticksUp(image)) expect(x - text.length * digitWidth).toBeGreaterThan(-8)
  })

  it('begins a linear axis at zero and ends each axis at or after the largest value', () => {
    for (const most of [0.03, 0.9, 1, 7, 61, 600, 4_999, 123_456]) {
      const ticks = ticksUp(drawPlot(plot([[1, most]]))).map(({ text }) => Number(text.replaceAll(',', '')))
      expect([most, ticks[0]]).toEqual([most, 0])
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
      expect(ticks.length).toBeLessThanOrEqual(8)
      expect(ticks.length).toBeGreaterThanOrEqual(3)
    }
  })

  it('has at least two marks on a logarithmic axis, and no value outside of them', () => {
    for (const [least, most] of [
      [1, 1],
      [1.5, 1.6],
      [0.7, 45],
      [3, 4_000],
      [1_000, 1_000_000],
    ] as const) {
      const image = drawPlot(
        plot(
          [
            [least, least],
            [most, most],
          ],
          true,
        ),
      )
      const ticks = ticksUp(image).map(({ text }) => Number(text.replaceAll(',', '')))
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(10)
      expect(ticks[0]).toBeLessThanOrEqual(least)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
    }
  })

  it('names its lines, axes and title, in any words', () => {
    const image = drawPlot({
      ...plot([[1, 1]]),
      title: 'p50 < p99 & "more"',
      lines: ['search p50', 'write p99'].map((name) => ({ name, points: [[1, 1]] as const })),
    })
    expect(image).toContain('p50 &lt; p99 &amp; &quot;more&quot;')
    expect(textsOf(image, 'name').map(({ text }) => text)).toEqual(['search p50', 'write p99'])
    expect(image).toContain('>milliseconds<')
    expect(image).toContain('>memories<')
  })

  it('has other colors in a dark scheme, for the ground, the texts and each line', () => {
    const style = drawPlot(plot([[1, 1]])).split('<style>')[1] ?? ''
    const [light = '', dark = ''] = style.split('@media (prefers-color-scheme: dark)')
    for (const name of ['text', '.ground', '.grid', '.c0', '.c1', '.c2', '.c3']) {
      const colorIn = (part: string) =>
        new RegExp(`(?:^|\\s)${name.replace('.', '\\.')} \\{[^}]*(#[0-9a-f]+)`).exec(part)?.[1]
      expect([name, colorIn(light)]).toEqual([name, expect.stringMatching(/^#/)])
      expect([name, colorIn(dark)]).toEqual([name, expect.stringMatching(/^#/)])
      expect(colorIn(dark)).not.toBe(colorIn(light))
    }
  })

  it('rejects what it could not show', () => {
    expect(() => drawPlot(plot([[1, 0]], true))).toThrow(RangeError)
    expect(() => drawPlot(plot([[1, NaN]]))).toThrow(RangeError)
    expect(() => drawPlot(plot([]))).toThrow(RangeError)
    const line = { name: 'one', points: [[1, 1]] as const }
    expect(() => drawPlot({ ...plot([[1, 1]]), lines: Array.from({ length: 5 }, () => line) })).toThrow('at most 4')
  })
})
