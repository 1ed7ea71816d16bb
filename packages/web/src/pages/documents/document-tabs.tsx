import { Tabs, VisuallyHidden } from '@mantine/core'
import { useCallback, type ReactNode } from 'react'
import { isOtherPath, UnsavedQuestion, useLeaveQuestion } from '../../components/forms/unsaved.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'

const url = describeUrl({ show: 'text' })

interface Tab {
  name: string
  label: string
  content: ReactNode
}

/** The first tab holds the editor. Asks before leaving with unsaved text. */
export function DocumentTabs({ tabs, isDirty }: { tabs: readonly Tab[]; isDirty: boolean }) {
  const [{ show }, setState] = useUrlState(url)
  const isUnsaved = useCallback(() => isDirty, [isDirty])
  const { isAsking, stay, leave } = useLeaveQuestion(isUnsaved, isOtherPath)
  const open = tabs.find(({ name }) => name === show) ?? tabs[0]
  return (
    <>
      <Tabs
        value={open?.name ?? null}
        onChange={(next) => setState({ show: next ?? url.defaults.show })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map(({ name, label }, at) => (
            <Tabs.Tab key={name} value={name}>
              {label}
              {at === 0 && isDirty && (
                <>
                  <span aria-hidden> •</span>
                  <VisuallyHidden>, not saved</VisuallyHidden>
                </>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, content }) => (
          <Tabs.Panel key={name} value={name}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
      <UnsavedQuestion isOpen={isAsking} onStay={stay} onLeave={leave} />
    </>
  )
}
