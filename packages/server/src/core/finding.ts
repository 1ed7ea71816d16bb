/** The result of one check. `fix` says how to solve the problem, often as a command to copy. It never contains a secret. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  text: string
  fix?: string
}

export const ok = (check: string, text: string): Finding => ({ check, status: 'ok', text })
export const warning = (check: string, text: string, fix: string): Finding => ({ check, status: 'warning', text, fix })
export const failed = (check: string, text: string, fix: string): Finding => ({ check, status: 'failed', text, fix })
