import { useMediaQuery } from '@mantine/hooks'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ComponentType } from 'react'
import { Page } from '../../components/frame/page.tsx'
import { settingsGroups, settingsSections, type SettingsSection } from '../../shell/settings-sections.ts'
import { AccountSection } from './account-section.tsx'
import { AppearanceSection, ShortcutsSection } from './appearance-section.tsx'
import { BackupsSection } from './backups-section.tsx'
import { EncryptionSection } from './encryption-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { PageTitle } from './section.tsx'
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
  // Below that, the list of sections is a page of its own.
  const isNarrow = useMediaQuery('(max-width: 1023px)', window.innerWidth < 1024)
  const shown = settingsSections.find(({ name }) => name === section)
  if (shown !== undefined) return <Shown section={shown} isAlone={isNarrow} />
  if (!isNarrow) return <Navigate to="/settings/account" replace />
  if (section !== undefined) return <Navigate to="/settings" replace />
  return (
    <Page title="Settings">
      <SectionLinks />
    </Page>
  )
}

interface ShownProps {
  section: (typeof settingsSections)[number]
  /** Whether the section is the whole page, without the links to the others. */
  isAlone: boolean
}

function Shown({ section: { name, title }, isAlone }: ShownProps) {
  const Content = contents[name]
  return (
    <Page title={isAlone ? title : 'Settings'} {...(isAlone && { back: { to: '/settings', label: 'Settings' } })}>
      <div className={styles.columns}>
        {!isAlone && <SectionLinks current={name} />}
        <PageTitle value={isAlone ? title : ''}>
          <div className={styles.content}>
            <Content />
          </div>
        </PageTitle>
      </div>
    </Page>
  )
}

const SectionLinks = ({ current }: { current?: SettingsSection }) => (
  <nav className={styles.sections} aria-label="Settings">
    {settingsGroups.map((group) => (
      <section key={group} aria-label={group}>
        <div className={styles.group} aria-hidden>
          {group}
        </div>
        {settingsSections
          .filter((section) => section.group === group)
          .map((section) => (
            <SectionLink key={section.name} section={section} isCurrent={section.name === current} />
          ))}
      </section>
    ))}
  </nav>
)

interface LinkProps {
  section: (typeof settingsSections)[number]
  isCurrent: boolean
}

const SectionLink = ({ section: { name, title, icon: Icon, needsKeyboard }, isCurrent }: LinkProps) => (
  <Link
    to={`/settings/${name}`}
    className={styles.section}
    data-keyboard={needsKeyboard}
    {...(isCurrent && { 'aria-current': 'page' as const })}
  >
    <Icon size={16} strokeWidth={1.8} aria-hidden />
    {title}
    <ChevronRight size={16} aria-hidden className={styles.chevron} />
  </Link>
)
