import { Anchor, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePage } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { ByLine } from '../../components/records/by-line.tsx'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import classes from './home-page.module.css'

const shown = 4

export const useLatestMemories = (vaultId: string) =>
  usePage('list-memories', { vaultId, sort: 'newest', limit: shown })

/** The newest memories and tasks of the vault. */
export function LatestMemories({ vaultId }: { vaultId: string }) {
  const found = useLatestMemories(vaultId)
  return (
    <section>
      <Title order={2} mb="xs">
        Latest memories
      </Title>
      <Loaded query={found}>
        {({ memories, total }) => (
          <>
            <ul className={classes.list}>
              {memories.map((memory) => (
                <li key={memory.id} className={classes.item}>
                  <div className={classes.text}>
                    <Anchor
                      c="inherit"
                      className={classes.line}
                      renderRoot={(props) => (
                        <Link
                          {...props}
                          to={memory.memoryType === 'task' ? `/tasks/${memory.id}` : `/memories/${memory.id}`}
                        />
                      )}
                    >
                      {memory.title === '' ? 'Untitled' : memory.title}
                    </Anchor>
                    <span className={classes.facts}>
                      <MemoryTypeMark type={memory.memoryType} />
                      <ByLine record={memory} />
                    </span>
                  </div>
                </li>
              ))}
            </ul>
            {total > memories.length && (
              <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/memories" />}>
                All memories
              </Anchor>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
