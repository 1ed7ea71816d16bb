import type { Socket } from 'node:net'

/** Resolves once the socket is closed, also if the other side has reset it: `once` of `node:events` would reject. */
export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve())
  })
