import { describe, expect, it } from 'vitest'
import { measured } from '../../test/promises/measured.ts'
import { startSocketReceiver } from '../../test/webhook-receiver.ts'
import { parseAllowList } from './address.ts'
import { createPost } from './post.ts'
import { createVetUrl } from './vet-url.ts'

/** What a name resolves to in these tests. */
const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'loopback.example': ['127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'compatible.example': ['::127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'metadata6.example': ['fd00:ec2::254'],
  'private.example': ['10.1.2.3'],
  'half.example': ['93.184.215.14', '192.168.0.1'],
  'half6.example': ['93.184.215.14', '::1'],
  'zone.example': ['fe80::1%eth0'],
  'garbled.example': ['127.0.0.1 '],
  'nat64.example': ['64:ff9b::a00:1'],
  'six-to-four.example': ['2002:7f00:1::1'],
  'teredo.example': ['2001:0:53aa:64c:0:fbfe:80ff:fffe'],
  localhost: ['127.0.0.1', '::1'],
  'foo.localhost': ['127.0.0.1'],
  'n8n.internal': ['10.0.0.7'],
  'two.internal': ['10.0.0.7', '192.168.0.7'],
}

const vetterFor = (allow: string, ownPort = 8420) =>
  createVetUrl({
    allowed: parseAllowList(allow).targets,
    resolve: async (host) => {
      const addresses = names[host]
      if (addresses === undefined) throw new Error('nobody knows it')
      return addresses
    },
    ownPort,
  })

const verdict = async (url: string, allow = '', ownPort = 8420) => {
  const vetted = await vetterFor(allow, ownPort)(url)
  return vetted.isAllowed ? 'allowed' : vetted.reason
}

/** Every disguise of an address that no webhook may reach. */
const groups = {
  // This machine, as browsers and resolvers read it.
  thisMachine: `
    127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7f.0.0.1 0177.0.0.1 017700000001
    0x7F.0x0.0x0.0x1 127.0.0.1. 127.000.000.001 0 0.0.0.0 0x0 １２７.０.０.１ 127。0。0。1 ①②⑦.0.0.1 %31%32%37.0.0.1
    localhost LOCALHOST localhost. foo.localhost [::1] [0:0:0:0:0:0:0:1] [::] [0000::1] [::0001]
  `,
  // IPv4 inside IPv6.
  ipv4InIpv6: `
    [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::FFFF:7F00:0001] [::127.0.0.1]
    [::7f00:1] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1]
    [64:ff9b:1::7f00:1] [64:ff9b:1:ffff::a00:1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:c0a8:1::1]
    [2001:0:7f00:1::1] [2001::80ff:fffe] [2001:0:53aa:64c::5601:5601] [::ffff:169.254.169.254]
    [::ffff:a9fe:a9fe] [::a9fe:a9fe] [64:ff9b::a9fe:a9fe] [::ffff:10.0.0.1] [::ffff:192.168.0.1]
  `,
  // Private and shared networks.
  privateNetworks: `
    10.0.0.0 10.0.0.1 10.255.255.255 0xa.1 012.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.0.1
    192.168.255.255 3232235521 0xc0a80001 100.64.0.1 100.127.255.255 [fc00::1] [fd00::1] [fdff:ffff::1]
    [fec0::1]
  `,
  // Link-local, and with it the metadata of clouds.
  linkLocal: `
    169.254.169.254 169.254.0.1 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 169.254.43518
    169.16689662 [fe80::1] [febf::1] [fd00:ec2::254] 100.100.100.200 192.0.0.192
  `,
  // Reserved, for documentation and tests, multicast, broadcast, discard.
  reserved: `
    192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 4294967295 [ff02::1] [ff0e::1] [2001:db8::1] [2001:10::1]
    [2001:20::1] [100::1] [3fff::1] [5f00::1] [4000::1] [1000::1] 192.31.196.1 192.52.193.1 192.175.48.1
    [2001:2::1] [2001:3::1] [2001:4:112::1] [2001:30::1] [2620:4f:8000::1] [100:0:0:1::1]
  `,
  // Names that lead there, or partly so.
  names: `
    loopback.example LOOPBACK.example loopback.example. mapped.example compatible.example metadata.example
    metadata6.example private.example half.example half6.example zone.example garbled.example nat64.example
    six-to-four.example teredo.example
  `,
}

/** Addresses of each kind, which the spellings below disguise. */
const privateAddresses = [
  '127.0.0.1',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
]

/** The same address in every notation that parsers of URLs accept. */
function spellingsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const last = c * 256 + d
  const hex = (number: number) => `0x${number.toString(16)}`
  const octal = (number: number) => `0${number.toString(8)}`
  const group = (high: number, low: number) => (high * 256 + low).toString(16)
  const groups16 = `${group(a, b)}:${group(c, d)}`
  return [
    String(whole),
    hex(whole),
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [hex(a), b, octal(c), d].join('.'),
    [a, b, last].join('.'),
    [a, (b * 256 + c) * 256 + d].join('.'),
    [hex(a), hex(b), hex(last)].join('.'),
    `${address}.`,
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
    address.replaceAll(/[\d.]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
    `[::ffff:${address}]`,
    `[::ffff:${groups16}]`,
    `[0:0:0:0:0:ffff:${groups16}]`,
    `[::${groups16}]`,
    `[::ffff:0:${groups16}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${groups16}]`,
    `[64:ff9b:1::${groups16}]`,
    `[2002:${groups16}::1]`,
  ]
}

const listed = Object.values(groups).flatMap((group) => group.trim().split(/\s+/))
const hosts = [...new Set([...listed, ...privateAddresses.flatMap(spellingsOf)])]

describe('a URL', () => {
  it('can lead to a public address with https', async () => {
    const allowed = ['https://public.example', 'https://public.example./x?y=1#z', 'HTTPS://PUBLIC.EXAMPLE:8443/']
    for (const url of [...allowed, 'https://93.184.215.14', 'https://[2606:4700::1111]/', 'https://public.example:80'])
      expect([url, await verdict(url)]).toEqual([url, 'allowed'])
  })

  it('is used without its fragment, and leads to the vetted address', async () => {
    const vetted = await vetterFor('')('https://public.example.:8443/x?y=1#z')
    expect(vetted).toMatchObject({ host: 'public.example', port: 8443, addresses: names['public.example'] })
  })

  it.each(hosts)('must not lead to %s', async (host) => {
    for (const url of [`https://${host}/`, `http://${host}/`, `https://${host}:8443/`])
      expect([url, await verdict(url)]).toEqual([url, expect.stringMatching(/^(address not allowed|must begin with)/)])
  })

  it('is tested with more than 300 spellings', () => {
    expect(hosts.length).toBeGreaterThan(300)
    measured({ spellings: hosts.length })
  })

  it.each([
    ['http://public.example', 'must begin with https://'],
    ['ftp://public.example', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['gopher://public.example', 'must begin with https://'],
    ['data:text/plain,x', 'must begin with https://'],
    ['unix:/run/docker.sock', 'must begin with https://'],
    ['http://unix:/run/docker.sock:/x', 'must begin with https://'],
    ['https://unix:/run/docker.sock:/x', 'the name has no address'],
    ['//public.example', 'must begin with https://'],
    ['https://', 'must begin with https://'],
    ['https://[::1%25lo]/', 'must begin with https://'],
    ['https://256.0.0.1/', 'must begin with https://'],
    ['https://127.0.0.1.0x/', 'must begin with https://'],
    ['https://user@public.example', 'must not contain a user name or password'],
    ['https://user:secret@public.example', 'must not contain a user name or password'],
    ['https://public.example@127.0.0.1', 'must not contain a user name or password'],
    ['https://public.example:22', 'port not allowed'],
    ['https://public.example:25', 'port not allowed'],
    ['https://public.example:6379', 'port not allowed'],
    ['https://public.example:8420', 'port not allowed'],
    ['https://nobody.example', 'the name has no address'],
    [`https://${'a.'.repeat(127)}example`, 'address not allowed'],
  ])('is refused: %s', async (url, reason) => {
    expect(await verdict(url)).toBe(reason)
  })
})

describe('an allowed target', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:9000', 'allowed'],
    ['127.0.0.1', 'http://0x7f.1:9000', 'allowed'],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]:9000', 'allowed'],
    ['127.0.0.1', 'http://127.0.0.2:9000', 'address not allowed'],
    ['127.0.0.1', 'http://localhost:9000', 'address not allowed'],
    ['127.0.0.1,::1', 'http://localhost:9000', 'allowed'],
    ['localhost', 'http://localhost:9000', 'allowed'],
    ['localhost', 'http://127.0.0.1:9000', 'address not allowed'],
    ['127.0.0.0/8', 'http://127.9.9.9', 'allowed'],
    ['127.0.0.1', 'http://127.0.0.1:25', 'address not allowed'],
    ['127.0.0.1:25', 'http://127.0.0.1:25', 'allowed'],
    ['127.0.0.1:9000', 'http://127.0.0.1:9001', 'address not allowed'],
    ['[::1]:9000', 'http://[::1]:9000', 'allowed'],
    ['n8n.internal', 'http://n8n.internal:5678', 'allowed'],
    ['N8N.internal.', 'http://n8n.internal.:5678', 'allowed'],
    ['n8n.internal:5678', 'http://n8n.internal:5678', 'allowed'],
    ['n8n.internal:5678', 'http://n8n.internal:5679', 'address not allowed'],
    ['internal', 'http://n8n.internal:5678', 'address not allowed'],
    ['10.0.0.0/8', 'http://two.internal:5678', 'address not allowed'],
    ['10.0.0.0/8, 192.168.0.0/16', 'http://two.internal:5678', 'allowed'],
    ['public.example', 'http://public.example', 'allowed'],
    ['10.0.0.0/8', 'http://public.example', 'must begin with https://'],
    // This server itself, on port 8420, only if the entry names the port.
    ['127.0.0.1', 'http://127.0.0.1:8420', 'address not allowed'],
    ['127.0.0.1:8420', 'http://127.0.0.1:8420', 'allowed'],
    ['0.0.0.0/0', 'http://0.0.0.0:8420', 'address not allowed'],
    ['0.0.0.0/0', 'http://127.0.0.1:8420', 'address not allowed'],
    ['::/0', 'http://[::]:8420', 'address not allowed'],
    ['0.0.0.0:8420', 'http://0.0.0.0:8420', 'allowed'],
    // Names that lead nowhere yet.
    ['later.internal', 'http://later.internal:9000', 'the name has no address'],
    ['later.internal:9000', 'http://later.internal:9001', 'must begin with https://'],
    ['10.0.0.0/8', 'http://later.internal', 'must begin with https://'],
    ['10.0.0.0/8', 'https://later.internal', 'the name has no address'],
  ])('%s: %s is %s', async (allow, url, expected) => {
    expect(parseAllowList(allow).problems).toEqual([])
    expect(await verdict(url, allow)).toBe(expected)
  })

  it.each(['10.0.0.0/40', 'http://x', 'x y', '1.2.3', '[x]:1', 'host:0', 'host:99999', '-x', '*.internal', 'a:b:c'])(
    'is not %s',
    (entry) => {
      expect(parseAllowList(`n8n.internal,${entry}`)).toMatchObject({
        targets: [{ host: 'n8n.internal' }],
        problems: [expect.stringContaining(`"${entry}"`)],
      })
    },
  )
})

describe('a refused URL', () => {
  it('is never connected to, in any spelling', async () => {
    const canary = await startSocketReceiver((socket) => socket.end(), '0.0.0.0')
    const post = createPost(vetterFor(''))
    const signal = new AbortController().signal
    for (const host of hosts)
      for (const scheme of ['http', 'https']) {
        const outcome = await post(`${scheme}://${host}:${canary.port}/`, { headers: {}, body: '{}', signal })
        expect(outcome).toMatchObject({ status: undefined, problem: expect.any(String) })
      }
    expect(canary.connections()).toBe(0)
    // The trap would have been triggered.
    await createPost(vetterFor('127.0.0.1'))(canary.url, { headers: {}, body: '{}', signal })
    expect(canary.connections()).toBe(1)
  })
})
