export interface NodePackage {
  /** Default: `node-` and the platform. */
  name?: string
  version: string
  integrity: string
  sha256: string
  archive: string
  archiveSha256: string
}

/** By platform, as nodejs.org names them. */
export const nodePackages: Readonly<Record<string, NodePackage>>

/** This machine's. */
export const platform: string
