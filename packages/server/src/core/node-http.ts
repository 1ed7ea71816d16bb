/**
 * What the server uses of node:http. An import statement reads every export of that module, and with `WebSocket` Node loads all that
 * `fetch` needs: 14 MB.
 */
export const { request, STATUS_CODES } = process.getBuiltinModule('node:http')
