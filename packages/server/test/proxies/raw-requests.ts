/** Requests as bytes, most of them broken, in which a proxy and a server could disagree about where one ends. The same list each time. */

export interface RawRequest {
  /** What is special about it, for the report of a failure. */
  name: string
  /** Written one after the other, with a pause in between. */
  parts: string[]
}

interface Framing {
  name: string
  version?: string
  /** Header lines with their line ends, so that these can be broken as well. */
  lines: string
}

const line = (text: string) => `${text}\r\n`

/** What a body contains: one of the two could take it for the next request. */
const smuggled = 'GET /api/agent/info?smuggled HTTP/1.1\r\nHost: localhost\r\nX-Smuggled: 1\r\n\r\n'

const chunk = (data: string, extension = '') => `${data.length.toString(16)}${extension}\r\n${data}\r\n`
const lastChunk = '0\r\n\r\n'

/** Two lengths are most dangerous if each of them makes sense. So the bodies work as chunks and as plain bytes. */
const bodies: Record<string, string> = {
  'chunks, then a request': `${chunk('{}')}${lastChunk}${smuggled}`,
  'an empty chunk, then a request': `${lastChunk}${smuggled}`,
  'a request in a chunk': `${chunk(smuggled)}${lastChunk}`,
  'a request only': smuggled,
}

function lengthsOf(size: number): string[] {
  const [own, half, none] = [String(size), String(Math.floor(size / 2)), '0']
  return [
    line(`Content-Length: ${own}`),
    line(`Content-Length: ${none}`),
    line(`Content-Length: ${half}`),
    line(`Content-Length: +${own}`),
    line(`Content-Length: -1`),
    line(`Content-Length: 0${half}`),
    line(`Content-Length: 0x${size.toString(16)}`),
    line(`Content-Length: ${half}.0`),
    line(`Content-Length: ${half}e0`),
    line(`Content-Length: ${half}, ${half}`),
    line(`Content-Length: ${half}, ${own}`),
    line(`Content-Length: ${half} ${own}`),
    line(`Content-Length:`),
    line(`Content-Length: 18446744073709551616`),
    line(`Content-Length: 18446744073709551${half.padStart(3, '0')}`),
    line(`Content-Length:\t${half}\t`),
    line(`Content-Length:\v${half}`),
    line(`Content-Length : ${half}`),
    line(`Content-Length\t: ${half}`),
    line(` Content-Length: ${half}`),
    line(`Content_Length: ${half}`),
    line(`Content-Length: ${half}`) + line(`Content-Length: ${half}`),
    line(`Content-Length: ${half}`) + line(`Content-Length: ${own}`),
    line(`Content-Length: ${none}`) + line(`Content-Length: ${own}`),
    line(`content-length: ${own}`) + line(`Content-Length: ${none}`),
    `Content-Length:\r\n ${half}\r\n`,
    `X-Folded: a\r\n Content-Length: ${half}\r\n`,
    `X-Line: a\nContent-Length: ${half}\r\n`,
    `X-Line: a\rContent-Length: ${half}\r\n`,
    `Content-Length: ${half}\n`,
    `Content-Length: ${half}\0\r\n`,
  ]
}

function encodings(): string[] {
  const single = [
    'chunked',
    'Chunked',
    'CHUNKED',
    ' chunked ',
    '\tchunked',
    '\vchunked',
    'chunked\v',
    'chunked\0',
    '"chunked"',
    "'chunked'",
    'xchunked',
    'chunkedx',
    'chunked;q=1',
    'identity',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, identity',
    'identity, chunked',
    'chunked, chunked',
    'chunked,',
    ', chunked',
    '',
  ].map((value) => line(`Transfer-Encoding: ${value}`))
  return [
    ...single,
    line('Transfer-Encoding:chunked'),
    line('Transfer-Encoding : chunked'),
    line('Transfer-Encoding\t: chunked'),
    line(' Transfer-Encoding: chunked'),
    line('Transfer_Encoding: chunked'),
    line('Transfer-Encoding: chunked') + line('Transfer-Encoding: identity'),
    line('Transfer-Encoding: identity') + line('Transfer-Encoding: chunked'),
    line('Transfer-Encoding: chunked') + line('Transfer-Encoding: chunked'),
    line('Transfer-Encoding: x') + line('Transfer-Encoding: chunked'),
    'Transfer-Encoding:\r\n chunked\r\n',
    'Transfer-Encoding: chunked\r\n \r\n',
    'Transfer-Encoding:\n chunked\r\n',
    'X-Folded: a\r\n Transfer-Encoding: chunked\r\n',
    'X-Line: a\nTransfer-Encoding: chunked\r\n',
    'X-Line: a\rTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\n',
    line('Connection: Transfer-Encoding') + line('Transfer-Encoding: chunked'),
    line('TE: chunked') + line('Transfer-Encoding: chunked'),
  ]
}

function framingsOf(size: number): Framing[] {
  const lengths = lengthsOf(size)
  const own = lengths[0] ?? ''
  const half = lengths[2] ?? ''
  const chunked = line('Transfer-Encoding: chunked')
  const named = (lines: string, version?: string): Framing => ({
    name: JSON.stringify(lines + (version === undefined ? '' : ` in HTTP/${version}`)),
    lines,
    ...(version !== undefined && { version }),
  })
  return [
    ...lengths.map((lines) => named(lines)),
    ...encodings().map((lines) => named(lines)),
    ...encodings().flatMap((lines) => [named(half + lines), named(lines + own)]),
    ...lengths.slice(3).map((lines) => named(lines + chunked)),
    ...['1.0', '0.9', '1.2', '2.0'].flatMap((version) => [
      named(half, version),
      named(chunked, version),
      named(half + chunked, version),
    ]),
    named(line('Connection: Content-Length') + half),
    named(line('Connection: close, Content-Length') + half + chunked),
    named(''),
  ]
}

/** A body that is broken as chunks. */
const brokenChunks: Record<string, string> = {
  'an extension': `2;a=b\r\n{}\r\n${lastChunk}`,
  'a quoted extension with a line end': `2;a="\r\n{}\r\n${lastChunk}${smuggled}"\r\n{}\r\n${lastChunk}`,
  'an extension with a bare line feed': `2;a\n{}\r\n${lastChunk}${smuggled}`,
  'an extension with a bare carriage return': `2;a\r{}\r\n${lastChunk}${smuggled}`,
  'a long extension': `2;${'a'.repeat(20_000)}\r\n{}\r\n${lastChunk}`,
  'many extensions': `${Array.from({ length: 400 }, () => '1;a=b\r\nx\r\n').join('')}${lastChunk}`,
  'bare line feeds': `2\n{}\n0\n\n${smuggled}`,
  'a size with a prefix': `0x2\r\n{}\r\n${lastChunk}${smuggled}`,
  'a size with a sign': `+2\r\n{}\r\n${lastChunk}${smuggled}`,
  'a negative size': `-2\r\n{}\r\n${lastChunk}${smuggled}`,
  'a size with leading zeros': `${'0'.repeat(40)}2\r\n{}\r\n${lastChunk}`,
  'a size with white space': ` 2 \r\n{}\r\n${lastChunk}${smuggled}`,
  'a size with a letter behind it': `2g\r\n{}\r\n${lastChunk}${smuggled}`,
  'a size with an underscore': `0_2\r\n{}\r\n${lastChunk}${smuggled}`,
  'a size that overflows 64 bits': `10000000000000002\r\n{}\r\n${lastChunk}${smuggled}`,
  'a size that overflows 32 bits': `100000002\r\n{}\r\n${lastChunk}${smuggled}`,
  'no size': `\r\n{}\r\n${lastChunk}${smuggled}`,
  'too little data': `4\r\n{}\r\n${lastChunk}${smuggled}`,
  'too much data': `1\r\n{}\r\n${lastChunk}${smuggled}`,
  'other bytes in place of the line end': `2\r\n{}xx${lastChunk}${smuggled}`,
  'no line end after the data': `2\r\n{}0\r\n\r\n${smuggled}`,
  'several zeros at the end': `2\r\n{}\r\n000\r\n\r\n`,
  'an extension at the end': `2\r\n{}\r\n0;a=b\r\n\r\n`,
  'a trailer': `2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n`,
  'a trailer with a length': `2\r\n{}\r\n0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  'a trailer with an encoding': `2\r\n{}\r\n0\r\nTransfer-Encoding: identity\r\n\r\n${smuggled}`,
  'a trailer with credentials': `2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\nHost: evil.example\r\n\r\n`,
  'a broken trailer': `2\r\n{}\r\n0\r\nbroken\r\n\r\n${smuggled}`,
  'a folded trailer': `2\r\n{}\r\n0\r\nX: a\r\n b\r\n\r\n${smuggled}`,
  'a request as a trailer': `2\r\n{}\r\n0\r\n${smuggled}`,
  'no end': `2\r\n{}\r\n`,
  'half an end': `2\r\n{}\r\n0\r\n`,
}

/** Header lines that are tricky by themselves. */
const trickyHeaders: Record<string, string> = {
  'two hosts': line('Host: evil.example'),
  'two equal hosts': line('Host: localhost'),
  'a folded host': 'X: a\r\n Host: evil.example\r\n',
  'a line without a colon': line('broken'),
  'a header without a name': line(': a'),
  'a name with a space': line('X Y: a'),
  'a name with a bracket': line('X(Y): a'),
  'a name with a zero byte': line('X\0Y: a'),
  'a name beyond ASCII': line('X\u00e9: a'),
  'a value with a zero byte': line('X: a\0b'),
  'a value with control characters': line('X: \u0001\u007f'),
  'a value beyond ASCII': line('X: \u00ff\u00fe'),
  'a bare carriage return in a value': line('X: a\rY: b'),
  'a bare carriage return before the end': 'X: a\r\r\n',
  'a bare line feed': 'X: a\nY: b\n',
  'a request in a value after a bare line feed': `X: a\n\n${smuggled}`,
  'a folded value': 'X: a\r\n\tb\r\n',
  'an empty folded line': 'X: a\r\n \r\n',
  'a first line that is folded': ' X: a\r\n',
  'a long value': line(`X: ${'a'.repeat(6_000)}`),
  'a very long value': line(`X: ${'a'.repeat(20_000)}`),
  'many headers': Array.from({ length: 150 }, (_, at) => line(`X-${at}: a`)).join(''),
  'an upgrade to h2c':
    line('Connection: Upgrade, HTTP2-Settings') +
    line('Upgrade: h2c') +
    line('HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'),
  'an upgrade to a web socket':
    line('Connection: Upgrade') +
    line('Upgrade: websocket') +
    line('Sec-WebSocket-Version: 13') +
    line('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='),
  'an upgrade without a connection header': line('Upgrade: websocket'),
  'an unknown expectation': line('Expect: something'),
  'an expectation': line('Expect: 100-continue'),
  'a connection header with a host': line('Connection: Host'),
  'an HTTP/1.0 keep-alive': line('Connection: keep-alive') + line('Keep-Alive: timeout=100'),
  'two connection headers': line('Connection: close') + line('Connection: keep-alive'),
  'a forwarded request':
    line('X-Forwarded-For: 127.0.0.1') + line('Forwarded: for=127.0.0.1') + line('X-Proxy-Request: forged'),
}

/** Request lines. `{}` stands for the path. */
const requestLines = [
  'POST http://localhost{} HTTP/1.1',
  'POST http://evil.example{} HTTP/1.1',
  'POST HTTP://LOCALHOST{} HTTP/1.1',
  'POST //evil.example{} HTTP/1.1',
  'POST  {} HTTP/1.1',
  'POST {}  HTTP/1.1',
  'POST\t{}\tHTTP/1.1',
  'POST {} HTTP/1.1 ',
  'POST {} HTTP/1.1\r',
  'POST {} HTTP/1.1 HTTP/1.1',
  'POST {} http/1.1',
  'POST {} HTTP/01.1',
  'POST {} HTTP/1.01',
  'POST {}',
  'GET {}',
  'post {} HTTP/1.1',
  'P\0ST {} HTTP/1.1',
  'PO ST {} HTTP/1.1',
  'POST {}\0 HTTP/1.1',
  'POST {}#fragment HTTP/1.1',
  'POST {}?a=\u00e9 HTTP/1.1',
  'POST {}/../info HTTP/1.1',
  'POST {}%0d%0aX: HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT localhost:80 HTTP/1.1',
  'PRI * HTTP/2.0',
  'TRACE {} HTTP/1.1',
  '\r\n\r\nPOST {} HTTP/1.1',
  '\nPOST {} HTTP/1.1',
  ' POST {} HTTP/1.1',
]

const path = '/api/agent/read-memories'

interface Sender {
  /** The header line with the credential. */
  authorization: string
  /** A body that the server accepts. */
  body: string
}

/** All of them, in the same order each time. Some senders are known to the server and some aren't: it answers those before it has read the body. */
export function rawRequests({ authorization, body }: Sender): RawRequest[] {
  const json = line('Content-Type: application/json')
  const host = line('Host: localhost')
  const known = host + json + line(authorization)
  const sized = (text: string) => line(`Content-Length: ${text.length}`)
  const post = (head: string, text: string, version = '1.1') => `POST ${path} HTTP/${version}\r\n${head}\r\n${text}`
  const framed = Object.entries(bodies).flatMap(([what, text], turn) =>
    framingsOf(text.length).map(({ name, lines, version }, at) => ({
      name: `${name} with ${what}`,
      parts: [post(((at + turn) % 3 === 0 ? host + json : known) + lines, text, version)],
    })),
  )
  const chunks = Object.entries(brokenChunks).flatMap(([what, text]) => [
    { name: `chunks with ${what}`, parts: [post(known + line('Transfer-Encoding: chunked'), text)] },
    {
      name: `chunks with ${what}, byte by byte at the end`,
      parts: inPieces(post(known + line('Transfer-Encoding: chunked'), text)),
    },
  ])
  const headers = Object.entries(trickyHeaders).flatMap(([what, lines]) => [
    { name: `${what}, first`, parts: [post(lines + known + sized(body), body)] },
    { name: `${what}, last`, parts: [post(known + sized(smuggled) + lines, smuggled)] },
  ])
  const starts = requestLines.map((start) => ({
    name: `the line ${JSON.stringify(start)}`,
    parts: [`${start.replace('{}', path)}\r\n${known}${sized(smuggled)}\r\n${smuggled}`],
  }))
  const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'PATCH', 'FOO'].flatMap((method) =>
    [sized(smuggled), line('Transfer-Encoding: chunked'), ''].map((lines) => ({
      name: `${method} with ${JSON.stringify(lines)}`,
      parts: [
        `${method} /api/agent/info HTTP/1.1\r\n${known}${lines}\r\n${lines.startsWith('T') ? `${chunk(smuggled)}${lastChunk}` : smuggled}`,
      ],
    })),
  )
  const whole = post(known + sized(body), body)
  const others: RawRequest[] = [
    { name: 'two at once', parts: [whole + whole] },
    { name: 'ten at once', parts: [whole.repeat(10)] },
    { name: 'one after an empty line', parts: [`${whole}\r\n${whole}`] },
    { name: 'one after many empty lines', parts: [`${whole}${'\r\n'.repeat(20)}${whole}`] },
    { name: 'nonsense after a request', parts: [`${whole}nonsense\r\n\r\n`] },
    { name: 'zero bytes after a request', parts: [`${whole}${'\0'.repeat(64)}`] },
    { name: 'a TLS greeting', parts: ['\u0016\u0003\u0001\u0002\0\u0001\0\u0001'] },
    { name: 'a body that never comes', parts: [post(known + line('Content-Length: 100'), '')] },
    { name: 'half a body', parts: [post(known + line('Content-Length: 100'), smuggled.slice(0, 50))] },
    { name: 'half a request line', parts: [`POST ${path}`] },
    { name: 'half the headers', parts: [`POST ${path} HTTP/1.1\r\n${known}`] },
    { name: 'a body in pieces', parts: inPieces(whole) },
    {
      name: 'a body that is too large',
      parts: [post(known + line(`Content-Length: ${3 << 20}`), 'x'.repeat(3 << 20)), whole],
    },
    {
      name: 'a large body of an unknown sender',
      parts: [post(host + json + line(`Content-Length: ${3 << 20}`), 'x'.repeat(3 << 20)), whole],
    },
    {
      name: 'chunks that are too large together',
      parts: [
        post(known + line('Transfer-Encoding: chunked'), chunk('x'.repeat(1 << 20)).repeat(3) + lastChunk),
        whole,
      ],
    },
    {
      name: 'an expectation that waits',
      parts: [post(known + sized(body) + line('Expect: 100-continue'), ''), body + whole],
    },
  ]
  return [...framed, ...chunks, ...headers, ...starts, ...methods, ...others]
}

/** The last bytes one by one. */
const inPieces = (text: string): string[] => [text.slice(0, -6), ...text.slice(-6).split('')]
