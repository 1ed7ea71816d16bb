/**
 * The page's policy lets no string become markup or a script's address but through here. Mantine writes its style sheets as
 * inner HTML: text without a `<` passes, so that nothing which was stored can become an element, whatever a library does.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: Record<string, (text: string) => string>): unknown
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }

trustedTypes?.createPolicy('default', {
  createHTML(text) {
    if (text.includes('<')) throw new TypeError('No markup is ever made of text here.')
    return text
  },
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError('Scripts come from this server alone.')
    return url
  },
})

/** For styles that libraries write into the page. Browsers hide the nonce from everything but this property. */
export const styleNonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Where the library that keeps the page from scrolling under a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
