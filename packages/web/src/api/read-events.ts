/** An event of a stream in the format of server-sent events. */
export interface StreamEvent {
  event: string
  data: string
  id: string
}

/** Reads the events of a stream until it ends. Skips comments, and fields that only a browser's own reader needs. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let pending = ''
  // Not every browser can iterate over a stream.
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (pending + read.value).split('\n\n')
    pending = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => splitLine(line)))
      const event = fields.get('event')
      if (event !== undefined) yield { event, data: fields.get('data') ?? '', id: fields.get('id') ?? '' }
    }
  }
}

function splitLine(line: string): [name: string, value: string] {
  const [name = '', ...rest] = line.split(': ')
  return [name, rest.join(': ')]
}
