import {
  Activity,
  DatabaseBackup,
  Fingerprint,
  Gauge,
  Keyboard,
  KeyRound,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
  UserRound,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'

export type SettingsSection =
  | 'account'
  | 'second-factor'
  | 'passkeys'
  | 'sessions'
  | 'appearance'
  | 'shortcuts'
  | 'encryption'
  | 'backups'
  | 'limits'
  | 'users'
  | 'system'

/** Whom the sections are about, in the order in which the settings show them. */
export const settingsGroups = ['You', 'Server'] as const

interface Entry {
  name: SettingsSection
  group: (typeof settingsGroups)[number]
  title: string
  icon: LucideIcon
  /** More words that find the section in the palette. */
  words: string
  /** Touchscreens don’t list it. */
  needsKeyboard?: true
}

/** The sections of the settings, each at `/settings/<name>`. */
export const settingsSections: readonly Entry[] = [
  {
    name: 'account',
    group: 'You',
    title: 'Account',
    icon: UserRound,
    words: 'name email e-mail password change sign out',
  },
  {
    name: 'second-factor',
    group: 'You',
    title: 'Second factor',
    icon: ShieldCheck,
    words: '2fa totp authenticator code recovery security',
  },
  {
    name: 'passkeys',
    group: 'You',
    title: 'Passkeys',
    icon: Fingerprint,
    words: 'webauthn fido fingerprint face pin security key sign in',
  },
  {
    name: 'sessions',
    group: 'You',
    title: 'Sessions',
    icon: MonitorSmartphone,
    words: 'signed in browsers devices tokens revoke security',
  },
  {
    name: 'appearance',
    group: 'You',
    title: 'Appearance',
    icon: Palette,
    words: 'theme dark light contrast colors colours',
  },
  { name: 'shortcuts', group: 'You', title: 'Shortcuts', icon: Keyboard, words: 'keys keyboard', needsKeyboard: true },
  {
    name: 'encryption',
    group: 'Server',
    title: 'Root key',
    icon: KeyRound,
    words: 'encryption rotate change recovery copy backup security',
  },
  {
    name: 'backups',
    group: 'Server',
    title: 'Backups',
    icon: DatabaseBackup,
    words: 'backup copy restore disk automatic verify',
  },
  { name: 'limits', group: 'Server', title: 'Limits', icon: Gauge, words: 'quota rate requests' },
  { name: 'users', group: 'Server', title: 'Users', icon: UsersRound, words: 'people accounts disable enable delete' },
  {
    name: 'system',
    group: 'Server',
    title: 'System check',
    icon: Activity,
    words: 'server health version disk root key embeddings doctor',
  },
]
