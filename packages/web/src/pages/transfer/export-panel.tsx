import type { Vault } from '@holdfast/client/dashboard'
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { Download, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api/call-error.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { saveFile } from '../../components/text/save-file.ts'
import { formatBytes, formatCount } from '../../components/text/time-text.ts'
import { useVaults } from '../../shell/vault.ts'
import { toast } from '../../shell/toasts.tsx'
import { exportVault, fileNameOf, type ExportProgress } from './export-vault.ts'
import classes from './transfer-page.module.css'
import { useServerCommand } from '../../shell/server-command.ts'

interface Running extends ExportProgress {
  name: string
}

export function ExportPanel({ vault }: { vault: Vault }) {
  const holdfast = useServerCommand()
  const { own: vaults } = useVaults()
  const [running, setRunning] = useState<Running>()
  const [problem, setProblem] = useState<string>()
  const stopping = useRef<AbortController>(undefined)
  // Stops when the page is left. A download that appears later would be a surprise.
  useEffect(() => () => stopping.current?.abort(), [])

  async function run(wanted: readonly Vault[]): Promise<void> {
    const controller = new AbortController()
    stopping.current = controller
    setProblem(undefined)
    try {
      for (const one of wanted) {
        setRunning({ name: one.name, records: 0, bytes: 0 })
        const blob = await exportVault(one, controller.signal, (progress) =>
          setRunning({ name: one.name, ...progress }),
        )
        saveFile(fileNameOf(one.name, new Date()), blob)
        toast(`${one.name}: ${formatBytes(blob.size)} downloaded`)
      }
    } catch (error) {
      if (!controller.signal.aborted) setProblem(messageOf(error))
    } finally {
      setRunning(undefined)
    }
  }

  if (running !== undefined)
    return (
      <Stack gap="sm" aria-busy="true">
        <Text fw={550}>Exporting “{running.name}”</Text>
        <Progress value={100} animated aria-label={`Exporting “${running.name}”`} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed" className={classes.count} aria-live="polite">
            {formatCount(running.records)} records, {formatBytes(running.bytes)}
          </Text>
          <Button variant="default" size="xs" onClick={() => stopping.current?.abort()}>
            Stop
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Stack gap="md">
      {problem !== undefined && (
        <Alert color="red" variant="light" icon={<TriangleAlert size={18} aria-hidden />} role="alert">
          {problem}
        </Alert>
      )}
      <Text>
        Downloads everything in the vault as a zip file: notes as Markdown files for Obsidian, the rest as JSON lines.
        Importing it restores the same vault.
      </Text>
      <Alert
        className={classes.callout}
        color="yellow"
        variant="light"
        icon={<TriangleAlert size={18} aria-hidden />}
        title="The file isn’t encrypted"
      >
        Anyone who has it can read everything in the vault. Keep it in a safe place, or export the vault encrypted on
        the command line.
      </Alert>
      <Group gap="xs">
        <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={() => void run([vault])}>
          Export as zip
        </Button>
        {vaults.length > 1 && (
          <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={() => void run(vaults)}>
            Export all vaults ({formatCount(vaults.length)} files)
          </Button>
        )}
      </Group>
      <CodeBlock
        label="Encrypted export (command line)"
        code={holdfast(`export --vault ${quoted(vault.name)} --out vault.zip --encrypt`)}
      />
    </Stack>
  )
}

const quoted = (name: string) => (/^[\w-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`)
