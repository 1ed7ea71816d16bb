import type { InputOf } from '../../api/call.ts'
import { send } from '../../api/call.ts'

/** What a program asks for, as the server has checked it. */
export interface AccessRequest {
  asker: {
    /** As the program calls itself. */
    name: string
    /** The host of the document in which it describes itself; null if it registered here. */
    documentHost: string | null
    redirectHost: string
    isOnThisMachine: boolean
  }
  /** Sent back if the person allows it. Missing if something is wrong with it. */
  request?: NonNullable<InputOf<'create-key'>['authorization']>
  problem?: string
  /** Where the browser goes to say no. */
  backTo: string
}

export const readRequest = (packed: string, signal: AbortSignal) =>
  send(`/oauth/request?request=${encodeURIComponent(packed)}`, 'GET', null, signal) as Promise<AccessRequest>
