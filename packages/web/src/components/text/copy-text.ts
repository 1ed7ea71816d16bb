import { toast, toastError } from '../../shell/toasts.tsx'

/** Copies a text and says so, or says why it can't. */
export async function copyText(text: string): Promise<void> {
  try {
    // Without HTTPS, browsers have no clipboard for pages of other machines.
    if (!isSecureContext) throw new Error('The browser only copies on pages with HTTPS. Select the text instead.')
    await navigator.clipboard.writeText(text)
    toast('Copied')
  } catch (error) {
    toastError(error)
  }
}
