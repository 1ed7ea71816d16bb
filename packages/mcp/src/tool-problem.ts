/** A problem with a call, found before calling the server. The message tells the agent what to do. */
export class ToolProblem extends Error {
  readonly code: 'VALIDATION' | 'NOT_FOUND' | 'CONFIRM'

  constructor(code: ToolProblem['code'], message: string) {
    super(message)
    this.name = 'ToolProblem'
    this.code = code
  }
}
