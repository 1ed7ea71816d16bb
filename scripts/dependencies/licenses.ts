import type { LockedPackage } from './locked-packages.ts'

/** Licenses of what we distribute, each with the reason why we accept it. */
export const shippedLicenses: Readonly<Record<string, string>> = {
  MIT: 'Permissive: we keep the notice.',
  ISC: 'Permissive: we keep the notice.',
  'BSD-3-Clause': 'Permissive: we keep the notice.',
  'BlueOak-1.0.0': 'Permissive: we keep the notice.',
  'Apache-2.0': 'Our own license.',
  '0BSD': 'Asks for nothing.',
  Unlicense: 'Dedicated to the public domain.',
}

/** Also accepted for what only builds and tests use. We run it unchanged and distribute none of it. */
export const toolLicenses: Readonly<Record<string, string>> = {
  'BSD-2-Clause': 'Permissive.',
  'MPL-2.0':
    'Asks for the source of changed files of its own: the build’s CSS compiler and the tests’ accessibility rules.',
  'PSF-2.0': 'Permissive: the license of Python, from which a parser of arguments was ported.',
}

/** Packages of tests that say only in their own files that they have the MIT license, not in the field for it. */
const statedElsewhere: ReadonlySet<string> = new Set(['busboy@1.6.0', 'humanize-number@0.0.2', 'streamsearch@1.1.0'])

/** Packages whose license isn't accepted, as `name@version: license`, or `none` without a license. */
export const findRefused = (packages: readonly LockedPackage[], accepted: Readonly<Record<string, string>>): string[] =>
  packages
    .filter(({ name, version, license }) =>
      license === undefined ? !statedElsewhere.has(`${name}@${version}`) : !isAccepted(license, accepted),
    )
    .map(({ name, version, license }) => `${name}@${version}: ${license ?? 'none'}`)

/**
 * Whether an SPDX expression is satisfied by accepted licenses alone: one choice of `OR`, each part of `AND`. A person has to look at an
 * expression with both.
 */
export function isAccepted(expression: string, accepted: Readonly<Record<string, string>>): boolean {
  const parts = expression.replaceAll(/[()]/g, '').split(/\s+(?:AND|OR)\s+/)
  const isKnown = (part: string) => Object.hasOwn(accepted, part)
  if (!expression.includes(' AND ')) return parts.some(isKnown)
  return !expression.includes(' OR ') && parts.every(isKnown)
}
