/** As the keyboard in front of the reader has it. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const commandKey = isApple ? '⌘' : 'Ctrl'
