/** Where the browser keeps which colours somebody has chosen. */
export const colorSchemeKey = 'holdfast-color-scheme'
