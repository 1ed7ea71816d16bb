// What later.ts loads, as one chunk.

export { Tooltip } from '@mantine/core'
export { ModalsProvider } from '@mantine/modals'
export { Notifications } from '@mantine/notifications'
export { CommandPalette } from './command-palette.tsx'
export { DropToImport } from './drop-to-import.tsx'
export { PagesDrawer } from './pages-drawer.tsx'
export { ShortcutSheet } from './shortcut-sheet.tsx'
export { UserMenu } from './user-menu.tsx'
export { VaultSwitcher } from './vault-switcher.tsx'
export { maxToasts } from './toasts.tsx'
