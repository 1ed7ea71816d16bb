/** A line plot. Every line has at least one point, and with a logarithmic axis, all values are positive. */
export interface Plot {
  title: string
  x: Axis
  y: Axis
  lines: readonly Line[]
}

interface Axis {
  /** With the unit. */
  label: string
  isLogarithmic?: boolean
}

interface Line {
  name: string
  points: readonly (readonly [x: number, y: number])[]
}

const width = 760
const height = 400
const area = { left: 74, right: width - 44, top: 84, bottom: height - 58 }
const mostLines = 4

/** Where a value is drawn, and which values have a mark. */
interface Scale {
  placeOf(value: number): number
  ticks: readonly number[]
}

/** Returns an SVG image. It has a background of its own, and follows the reader's color scheme even where a page shows it as an image. */
export function drawPlot({ title, x, y, lines }: Plot): string {
  if (lines.length > mostLines) throw new RangeError(`A plot has at most ${mostLines} lines`)
  const points = lines.flatMap((line) => line.points)
  const across = chooseScale(
    points.map(([value]) => value),
    { isLogarithmic: x.isLogarithmic, from: area.left, to: area.right },
  )
  const up = chooseScale(
    points.map(([, value]) => value),
    { isLogarithmic: y.isLogarithmic, from: area.bottom, to: area.top },
  )
  const image = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">`,
    style,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    text(title, { x: 24, y: 34, of: 'title' }),
    ...drawNames(lines),
    ...across.ticks.flatMap((tick) => drawAcross(tick, across.placeOf(tick))),
    ...up.ticks.flatMap((tick) => drawUp(tick, up.placeOf(tick))),
    text(x.label, { x: (area.left + area.right) / 2, y: height - 14, of: 'middle' }),
    `<text class="middle" transform="translate(20 ${(area.top + area.bottom) / 2}) rotate(-90)">${escape(y.label)}</text>`,
    ...lines.flatMap((line, at) => drawLine(line, { at, across, up })),
    '</svg>',
  ]
  return `${image.join('\n')}\n`
}

// Colors that people with any color vision tell apart (Okabe and Ito), darker or lighter for the background. Lines have dashes too.
const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.middle { text-anchor: middle }
.end { text-anchor: end }
.ground { fill: #fff }
.grid { stroke: #d8dee4 }
.line { fill: none; stroke-width: 2.5; stroke-linejoin: round }
.c0 { stroke: #0072b2 } .c1 { stroke: #c14e00; stroke-dasharray: 7 3 } .c2 { stroke: #00795a; stroke-dasharray: 2 3 } .c3 { stroke: #a8508a; stroke-dasharray: 10 3 2 3 }
.dot { stroke-width: 6; stroke-linecap: round; stroke-dasharray: none }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.ground { fill: #151b23 }
.grid { stroke: #3d444d }
.c0 { stroke: #56b4e9 } .c1 { stroke: #f0954a } .c2 { stroke: #2fc39b } .c3 { stroke: #e29ac9 }
}
</style>`

function chooseScale(
  values: readonly number[],
  { isLogarithmic = false, from, to }: { isLogarithmic: boolean | undefined; from: number; to: number },
): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  if (!Number.isFinite(least) || (isLogarithmic && least <= 0)) throw new RangeError('A value can not be drawn')
  const ticks = isLogarithmic ? chooseLogarithmicTicks(least, most) : chooseTicks(most)
  const shareOf = isLogarithmic ? Math.log : (value: number) => value
  const [low, high] = [shareOf(ticks[0] as number), shareOf(ticks.at(-1) as number)]
  return { ticks, placeOf: (value) => from + ((shareOf(value) - low) / (high - low)) * (to - from) }
}

/** From zero, at most eight. */
function chooseTicks(most: number): number[] {
  const rough = Math.max(most, 1e-3) / 6
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10)
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, at) => at * step)
}

/** Powers of ten; over less than three of them, also their double and their fivefold. */
function chooseLogarithmicTicks(least: number, most: number): number[] {
  const factors = most / least < 1_000 ? [1, 2, 5] : [1]
  const [first, last] = [Math.floor(Math.log10(least)) - 1, Math.ceil(Math.log10(most)) + 1]
  const all = Array.from({ length: last - first + 1 }, (_, at) => factors.map((factor) => factor * 10 ** (first + at)))
  const marks = all.flat()
  const begin = marks.findLastIndex((mark) => mark <= least)
  const end = marks.findIndex((mark) => mark >= most && mark > (marks[begin] as number))
  return marks.slice(begin, end + 1)
}

const drawAcross = (tick: number, x: number) => [
  `<path class="grid" d="M${round(x)} ${area.top}V${area.bottom}"/>`,
  text(show(tick), { x, y: area.bottom + 20, of: 'middle' }),
]

const drawUp = (tick: number, y: number) => [
  `<path class="grid" d="M${area.left} ${round(y)}H${area.right}"/>`,
  text(show(tick), { x: area.left - 8, y: y + 4, of: 'end' }),
]

/** Above the plot, because names at the ends of lines would cover each other. */
const drawNames = (lines: readonly Line[]) =>
  lines.flatMap(({ name }, at) => {
    const x = area.left + at * ((area.right - area.left) / mostLines)
    return [`<path class="line c${at}" d="M${round(x)} 58h28"/>`, text(name, { x: x + 34, y: 62, of: 'name' })]
  })

function drawLine({ points }: Line, { at, across, up }: { at: number; across: Scale; up: Scale }): string[] {
  const places = points.map(([x, y]) => `${round(across.placeOf(x))} ${round(up.placeOf(y))}`)
  // A point without a neighbor would not be visible.
  const dots = places.map((place) => `<path class="line c${at} dot" d="M${place}h.01"/>`)
  return [`<path class="line c${at}" d="M${places.join('L')}"/>`, ...dots]
}

const text = (words: string, { x, y, of }: { x: number; y: number; of: string }) =>
  `<text class="${of}" x="${round(x)}" y="${round(y)}">${escape(words)}</text>`

const show = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 3 })
const round = (value: number) => Number(value.toFixed(1))
const escape = (words: string) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
