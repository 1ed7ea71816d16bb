import { Menu, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, Check, Keyboard, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { AccountButton } from './frame-buttons.tsx'
import { useShell } from './shell-context.ts'

const schemes = [
  { value: 'auto', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const

/** `startsOpen`: a person asked for it before it had loaded. */
export function UserMenu({ startsOpen }: { startsOpen: boolean }) {
  return (
    <Menu width="target" position="top-start" shadow="md" defaultOpened={startsOpen}>
      <Menu.Target>
        <AccountButton />
      </Menu.Target>
      <Menu.Dropdown>
        <UserMenuItems />
      </Menu.Dropdown>
    </Menu>
  )
}

function UserMenuItems() {
  const { showShortcuts, leave } = useShell()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  return (
    <>
      <Menu.Label>Appearance</Menu.Label>
      {schemes.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          closeMenuOnClick={false}
          leftSection={<Icon size={15} aria-hidden />}
          rightSection={colorScheme === value ? <Check size={14} aria-label="selected" /> : null}
          onClick={() => setColorScheme(value)}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item data-keyboard leftSection={<Keyboard size={15} aria-hidden />} onClick={showShortcuts}>
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Item leftSection={<BookOpen size={15} aria-hidden />} component="a" href="/docs" target="_blank">
        Documentation
      </Menu.Item>
      <Menu.Item leftSection={<Settings size={15} aria-hidden />} onClick={() => void navigate({ to: '/settings' })}>
        Settings
      </Menu.Item>
      <Menu.Item leftSection={<LogOut size={15} aria-hidden />} onClick={leave}>
        Sign out
      </Menu.Item>
    </>
  )
}
