import { createTheme, rem, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** The accent color. From shade 6, white text on it has a contrast of at least 4.5:1. */
const kelp: MantineColorsTuple = [
  '#effaf7',
  '#d6f1ea',
  '#aee2d6',
  '#7fcfbf',
  '#4fb9a6',
  '#2a9d8b',
  '#157f70',
  '#106a5e',
  '#0e554c',
  '#0b423b',
]

/** Grays with a hint of green. The last four are surfaces of the dark scheme. */
const dark: MantineColorsTuple = [
  '#dde3e1',
  '#c0c9c6',
  '#97a3a0',
  '#6b7876',
  '#3d4746',
  '#2f3837',
  '#252c2c',
  '#191f1f',
  '#131818',
  '#0d1111',
]

const fontFamily = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
const fontFamilyMonospace = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', 'Liberation Mono', monospace"

/** What lies behind a dialog stays readable. */
const overlayProps = { backgroundOpacity: 0.45 }

export const theme = createTheme({
  primaryColor: 'kelp',
  primaryShade: { light: 7, dark: 6 },
  colors: { kelp, dark },
  fontFamily,
  fontFamilyMonospace,
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(18) },
  headings: {
    fontFamily,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(22), lineHeight: '1.3' },
      h2: { fontSize: rem(16), lineHeight: '1.4' },
      h3: { fontSize: rem(14), lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: rem(3), sm: rem(4), md: rem(6), lg: rem(10), xl: rem(16) },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: { centered: true, radius: 'lg', overlayProps, closeButtonProps: { 'aria-label': 'Close' } },
    },
    // Without its own blur, with which it took 144 ms to paint instead of 64 (bench/dashboard, p50 without a graphics card).
    Spotlight: { defaultProps: { overlayProps } },
    Drawer: { defaultProps: { overlayProps, closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    // A dot in the handle looks like a radio button.
    Switch: { defaultProps: { withThumbIndicator: false } },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } },
  },
})

/** Mantine's grays for dimmed text don't reach a contrast of 4.5:1 in either scheme. */
const lightVariables = {
  '--mantine-color-body': '#ffffff',
  '--mantine-color-text': '#17211f',
  '--mantine-color-dimmed': '#566360',
  '--mantine-color-placeholder': '#6a7673',
  '--mantine-color-error': '#c02626',
  '--mantine-color-default-border': '#d5dcda',
  '--hf-danger': '#b3261e',
  '--mantine-color-kelp-light-color': '#106a5e',
  '--mantine-color-yellow-light': '#fcf1d3',
  '--mantine-color-yellow-light-color': '#6b4a00',
  '--mantine-color-red-light': '#fdeae8',
  '--mantine-color-red-light-color': '#9b1c12',
  '--mantine-color-red-filled': '#c22f27',
  '--mantine-color-red-filled-hover': '#a8261f',
  '--hf-surface': '#f6f8f7',
  '--hf-surface-hover': '#ecf0ef',
  '--hf-line': '#e3e8e6',
  // Behind the current place or the open record, and behind selected records.
  '--hf-current': '#dff3ed',
  '--hf-selected': '#effaf7',
  '--hf-chart-1': '#106a5e',
  '--hf-chart-2': '#d18700',
  '--hf-chart-3': '#4267c5',
  '--hf-chart-4': '#a24a9b',
}

const darkVariables = {
  '--mantine-color-body': '#131818',
  '--mantine-color-text': '#dde3e1',
  '--mantine-color-dimmed': '#97a3a0',
  '--mantine-color-placeholder': '#8a9693',
  '--mantine-color-error': '#ff8787',
  '--mantine-color-default': '#191f1f',
  '--mantine-color-default-hover': '#252c2c',
  '--mantine-color-default-border': '#36403f',
  '--hf-danger': '#ff9c92',
  '--mantine-color-kelp-light': 'color-mix(in srgb, var(--mantine-color-kelp-5) 22%, transparent)',
  '--mantine-color-kelp-light-hover': 'color-mix(in srgb, var(--mantine-color-kelp-5) 32%, transparent)',
  '--mantine-color-kelp-light-color': 'var(--mantine-color-kelp-3)',
  '--mantine-color-gray-light': '#232b2b',
  '--mantine-color-gray-light-hover': '#2b3434',
  '--mantine-color-yellow-light': '#33290d',
  '--mantine-color-yellow-light-color': '#f2d184',
  '--mantine-color-red-light': '#401a18',
  '--mantine-color-red-light-color': '#ffb4ab',
  '--mantine-color-red-filled': '#c22f27',
  '--mantine-color-red-filled-hover': '#d1453d',
  '--hf-surface': '#191f1f',
  '--hf-raised': '#1d2424',
  '--hf-surface-hover': '#252c2c',
  '--hf-line': '#303938',
  '--hf-current': 'color-mix(in srgb, var(--mantine-color-kelp-5) 20%, transparent)',
  '--hf-selected': 'color-mix(in srgb, var(--mantine-color-kelp-5) 14%, transparent)',
  '--hf-chart-1': '#3fae9b',
  '--hf-chart-2': '#e0a43a',
  '--hf-chart-3': '#7f9cf0',
  '--hf-chart-4': '#cf86c9',
}

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {
    '--hf-rail-width': rem(232),
    '--hf-bottom-bar-height': rem(56),
    // At the start of the open record in a list, which differs from selected ones by more than its color.
    '--hf-open-bar':
      'linear-gradient(light-dark(var(--mantine-color-kelp-7), var(--mantine-color-kelp-3)) 0 0) 0 / 2px 100% no-repeat',
  },
  light: lightVariables,
  dark: darkVariables,
})
