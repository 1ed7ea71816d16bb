import { Select } from '@mantine/core'
import { Link, Navigate, useNavigate, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Page } from '../../components/frame/page.tsx'
import { settingsSections, type SettingsSection } from '../../shell/settings-sections.ts'
import { AccountSection } from './account-section.tsx'
import { AppearanceSection, ShortcutsSection } from './appearance-section.tsx'
import { BackupsSection } from './backups-section.tsx'
import { EncryptionSection } from './encryption-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import styles from './settings-page.module.css'
import { SystemSection } from './system-section.tsx'
import { UsersSection } from './users-section.tsx'

const contents: Record<SettingsSection, ComponentType> = {
  account: AccountSection,
  'second-factor': SecondFactorSection,
  passkeys: PasskeysSection,
  sessions: SessionsSection,
  appearance: AppearanceSection,
  shortcuts: ShortcutsSection,
  encryption: EncryptionSection,
  backups: BackupsSection,
  limits: LimitsSection,
  users: UsersSection,
  system: SystemSection,
}

export function SettingsPage() {
  const { section }: { section?: string } = useParams({ strict: false })
  const shown = settingsSections.find(({ name }) => name === section)
  if (shown === undefined) return <Navigate to="/settings/account" replace />
  return <Shown section={shown.name} />
}

function Shown({ section }: { section: SettingsSection }) {
  const Content = contents[section]
  const navigate = useNavigate()
  return (
    <Page title="Settings">
      <div className={styles.columns}>
        <nav className={styles.sections} aria-label="Settings">
          {settingsSections.map(({ name, title, icon: Icon }) => (
            <Link
              key={name}
              to={`/settings/${name}`}
              className={styles.section}
              {...(name === section && { 'aria-current': 'page' as const })}
            >
              <Icon size={16} strokeWidth={1.8} aria-hidden />
              {title}
            </Link>
          ))}
        </nav>
        {/* Instead of the links on small screens, where eleven don't fit into a row. */}
        <Select
          className={styles.choice}
          aria-label="Section"
          data={settingsSections.map(({ name, title }) => ({ value: name, label: title }))}
          value={section}
          allowDeselect={false}
          maxDropdownHeight={420}
          onChange={(name) => name !== null && void navigate({ to: `/settings/${name}` })}
        />
        <div className={styles.content}>
          <Content />
        </div>
      </div>
    </Page>
  )
}
