import {
  Activity,
  Gauge,
  Keyboard,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
  UserRound,
  type LucideIcon,
} from 'lucide-react'

export type SettingsSection =
  | 'account'
  | 'second-factor'
  | 'sessions'
  | 'appearance'
  | 'shortcuts'
  | 'limits'
  | 'system'

interface Entry {
  name: SettingsSection
  title: string
  icon: LucideIcon
  /** What else people may call it when they look for it. */
  words: string
}

/** The parts of the settings, each at `/settings/<name>`. */
export const settingsSections: readonly Entry[] = [
  { name: 'account', title: 'Account', icon: UserRound, words: 'e-mail password change sign out' },
  {
    name: 'second-factor',
    title: 'Second factor',
    icon: ShieldCheck,
    words: '2fa totp authenticator code recovery security',
  },
  {
    name: 'sessions',
    title: 'Sessions',
    icon: MonitorSmartphone,
    words: 'signed in browsers devices tokens revoke security',
  },
  { name: 'appearance', title: 'Appearance', icon: Palette, words: 'theme dark light contrast colours' },
  { name: 'shortcuts', title: 'Shortcuts', icon: Keyboard, words: 'keys keyboard' },
  { name: 'limits', title: 'Limits', icon: Gauge, words: 'quota rate requests' },
  {
    name: 'system',
    title: 'System check',
    icon: Activity,
    words: 'server health version disk root key embeddings doctor',
  },
]
