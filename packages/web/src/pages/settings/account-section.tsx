import { Button, Group, Stack } from '@mantine/core'
import { LogOut } from 'lucide-react'
import { CopyButton } from '../../components/text/code-block.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { useSession } from '../../shell/session.ts'
import { useShell } from '../../shell/shell-context.ts'
import { EmailForm } from './email-form.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { Section } from './section.tsx'

export function AccountSection() {
  const session = useSession()
  const { leave } = useShell()
  return (
    <Loaded query={session}>
      {({ user }) => (
        <>
          <Section title="Account">
            <Stack>
              <FactList
                facts={[
                  ['Email', user.email],
                  ['Role', user.isOwner ? 'Owner of this server' : 'User'],
                  [
                    'User id',
                    <Group key="id" gap={4} wrap="nowrap">
                      <code>{user.userId}</code>
                      <CopyButton text={user.userId} what="User id" />
                    </Group>,
                  ],
                ]}
              />
              <NameForm name={user.name} />
              <div>
                <Button variant="default" leftSection={<LogOut size={16} aria-hidden />} onClick={leave}>
                  Sign out
                </Button>
              </div>
            </Stack>
          </Section>
          <Section
            title="Email"
            lead="You sign in with it. Holdfast never sends mail. Changing it doesn’t affect sessions, tokens or agent keys."
          >
            <EmailForm email={user.email} />
          </Section>
          <Section
            title="Password"
            lead="Changing it signs you out everywhere else. Agent keys and dashboard tokens keep working."
          >
            <PasswordForm email={user.email} />
          </Section>
        </>
      )}
    </Loaded>
  )
}
