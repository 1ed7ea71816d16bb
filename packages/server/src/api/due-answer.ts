import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node's own name for the answer that is due on a connection. Its `closeIdleConnections` uses it, too. */
const dueAnswer = '_httpMessage'

/** The answer that is due on a connection, from when the headers of a request have arrived; undefined while it is idle. */
export const answerOn = (socket: Socket & { [dueAnswer]?: ServerResponse | null }): ServerResponse | undefined =>
  socket[dueAnswer] ?? undefined
