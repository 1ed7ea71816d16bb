/**
 * Trusted Types policy of the page: every string that becomes markup or a script URL passes through here. Mantine writes its
 * style sheets as inner HTML, so text without `<` is allowed. Stored text can't become an element, whatever a library does.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: Record<string, (text: string) => string>): unknown
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }

trustedTypes?.createPolicy('default', {
  createHTML(text) {
    if (text.includes('<')) throw new TypeError('Text must not become markup.')
    return text
  },
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError('Scripts must come from this server.')
    return url
  },
})

/** The nonce for styles that libraries add to the page. Browsers expose it only through this property. */
export const styleNonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// The library that stops the page from scrolling under a dialog reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
