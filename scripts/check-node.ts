import { NotReachable, readOfficialHashes } from './dependencies/official-node.ts'
import { nodePackages } from './node-packages.mjs'

// Compares scripts/node-packages.mjs with the official releases of Node, and prints what differs, ready to be copied. Downloads 200 MB.
// `npm run node-checksums -- <url>` reads another copy of the releases. Exits with 0 if all are equal, with 1 if one differs, and with 3 if a
// release couldn't be read.

const [site = 'https://nodejs.org/dist'] = process.argv.slice(2)
let code = 0
for (const [platform, known] of Object.entries(nodePackages)) {
  try {
    const { sha256, archiveSha256 } = await readOfficialHashes(site, known)
    const isEqual = sha256 === known.sha256 && archiveSha256 === known.archiveSha256
    if (!isEqual) code = 1
    const found = `\n    sha256: '${sha256}',\n    archiveSha256: '${archiveSha256}',`
    console.log(
      `${platform} ${known.version}: ${isEqual ? 'the official program' : `NOT the official program, which has${found}`}`,
    )
  } catch (error) {
    code ||= error instanceof NotReachable ? 3 : 1
    console.log(`${platform} ${known.version}: not compared. ${error instanceof Error ? error.message : ''}`)
  }
}
process.exitCode = code
