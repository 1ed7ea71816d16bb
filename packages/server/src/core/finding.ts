/** What one check found. `fix` says what to do, in words that can be followed or copied; never a secret. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  text: string
  fix?: string
}

export const ok = (check: string, text: string): Finding => ({ check, status: 'ok', text })
export const warning = (check: string, text: string, fix: string): Finding => ({ check, status: 'warning', text, fix })
export const failed = (check: string, text: string, fix: string): Finding => ({ check, status: 'failed', text, fix })
