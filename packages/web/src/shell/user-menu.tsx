import { Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, Check, CircleUser, Keyboard, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { useShell } from './shell-context.ts'
import { useSession } from './session.ts'
import classes from './vault-switcher.module.css'

const schemes = [
  { value: 'auto', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const

export function UserMenu() {
  const { data } = useSession()
  return (
    <Menu width="target" position="top-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <CircleUser size={18} aria-hidden style={{ margin: 0 }} />
          <VisuallyHidden>Account</VisuallyHidden>
          <span className={classes.name} style={{ fontWeight: 400 }}>
            {data?.user.name ?? data?.user.email}
          </span>
        </UnstyledButton>
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
      <Menu.Item leftSection={<Keyboard size={15} aria-hidden />} onClick={showShortcuts}>
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
