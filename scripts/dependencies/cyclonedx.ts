import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../packages/server/src/crypto/hash.ts'
import { nodePackages } from '../node-packages.mjs'
import type { LockedPackage, Shipped } from './locked-packages.ts'

/** Returns the software bill of materials in CycloneDX 1.6. The same sources give the same text: it has no time and no random id. */
export function printCycloneDx(root: string, { packages, needs }: Shipped): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const product = `pkg:generic/holdfast@${version}`
  // A package that is installed in several folders appears once, with what all of them need.
  const places = Map.groupBy(packages, purlOf)
  const refs = new Map(packages.map((one) => [one.path, purlOf(one)]))
  const refsOf = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => refs.get(path) ?? []))].toSorted()
  const others = [...describeRuntimes(), describeModel(root), describePasswords(root)]
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'pre-build' }],
      component: {
        type: 'application',
        'bom-ref': product,
        name: 'holdfast',
        version,
        licenses: licensesOf('Apache-2.0'),
      },
    },
    components: [
      ...[...places.values()].flatMap(([one]) => (one === undefined ? [] : [describePackage(one)])),
      ...others,
    ],
    dependencies: [
      { ref: product, dependsOn: [...refsOf(needs.get('') ?? []), ...others.map((one) => one['bom-ref'])] },
      ...[...places].map(([ref, same]) => ({
        ref,
        dependsOn: refsOf(same.flatMap(({ path }) => needs.get(path) ?? [])),
      })),
    ],
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}

const purlOf = ({ name, version }: LockedPackage) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function describePackage(one: LockedPackage) {
  const [name = '', group] = one.name.split('/').toReversed()
  return {
    type: 'library',
    'bom-ref': purlOf(one),
    ...(group !== undefined && { group }),
    name,
    version: one.version,
    scope: one.isOptional ? 'optional' : 'required',
    ...(one.integrity !== undefined && { hashes: hashesOf(one.integrity) }),
    ...(one.license !== undefined && { licenses: licensesOf(one.license) }),
    purl: purlOf(one),
  }
}

const hashesOf = (integrity: string) =>
  integrity.split(' ').map((hash) => {
    const [algorithm = '', base64 = ''] = hash.split(/-(.*)/)
    return {
      alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
      content: Buffer.from(base64, 'base64').toString('hex'),
    }
  })

const licensesOf = (expression: string) =>
  /\s/.test(expression) ? [{ expression }] : [{ license: { id: expression } }]

/** Node, which `scripts/bootstrap.mjs` installs where there is none: one build for each platform. */
const describeRuntimes = () =>
  Object.entries(nodePackages).map(([platform, { version, sha256: content }]) => ({
    type: 'platform',
    'bom-ref': `pkg:generic/node@${version}?platform=${platform}`,
    name: 'node',
    version,
    description: `Node.js for ${platform}; the hash is that of its program`,
    scope: 'optional',
    hashes: [{ alg: 'SHA-256', content }],
    licenses: licensesOf('MIT'),
    purl: `pkg:generic/node@${version}?platform=${platform}`,
  }))

/** The list of common passwords. NOTICE says where it comes from. */
const describePasswords = (root: string) => ({
  type: 'data',
  'bom-ref': 'data:common-passwords',
  name: 'common-passwords',
  description: 'Passwords that are refused, mostly from zxcvbn; see NOTICE',
  scope: 'required',
  hashes: [
    {
      alg: 'SHA-256',
      content: sha256(readFileSync(join(root, 'packages/server/assets/common-passwords.txt'))).toString('hex'),
    },
  ],
  licenses: licensesOf('MIT'),
})

/** The built-in table of word vectors. NOTICE lists the texts it was trained on. */
const describeModel = (root: string) => ({
  type: 'machine-learning-model',
  'bom-ref': 'model:static-256',
  name: 'static-256',
  description: 'Word vectors, distilled from all-MiniLM-L6-v2; see NOTICE',
  scope: 'required',
  hashes: [
    {
      alg: 'SHA-256',
      content: sha256(readFileSync(join(root, 'packages/server/assets/static-256.bin'))).toString('hex'),
    },
  ],
  licenses: licensesOf('Apache-2.0'),
})
