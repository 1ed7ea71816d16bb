/** The localStorage key of the chosen color scheme. */
export const colorSchemeKey = 'holdfast-color-scheme'
