/** Whether to show Apple's modifier keys. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const commandKey = isApple ? '⌘' : 'Ctrl'
