import { CodeBlock } from '../../components/text/code-block.tsx'
import styles from './settings-page.module.css'

/** A command that few people need. Shown after a click on what it is for. */
export const CommandAside = ({ title, code }: { title: string; code: string }) => (
  <details className={styles.aside}>
    <summary>{title}</summary>
    <CodeBlock code={code} label="Run on the server" />
  </details>
)
