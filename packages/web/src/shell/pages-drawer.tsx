import { Drawer, Group } from '@mantine/core'
import { AccountMenu } from './frame-buttons.tsx'
import { AllLinks } from './rail.tsx'

/** All pages, on small screens. */
export function PagesDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer opened={isOpen} onClose={onClose} position="bottom" size="85%" title="All pages" radius="lg">
      <AllLinks onFollow={onClose} />
      <Group mt="md">
        <AccountMenu />
      </Group>
    </Drawer>
  )
}
