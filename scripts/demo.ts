import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '../packages/server/src/cli/serve.ts'
import { demoConfig, demoPerson, makeDemo } from './demo/make-demo.ts'
import { receiveWebhooks } from './demo/receive-webhooks.ts'

/**
 * `npm run demo`: a server with a month of a small team's work, in its own folder. The next call continues with that data;
 * `--reset` starts over.
 */

const home = join(import.meta.dirname, '..', '.demo')
const made = join(home, 'ferries')
const port = process.env['HOLDFAST_PORT'] ?? '8430'
const receiverPort = 8431

async function run(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== '--reset')
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(' ')}. The only option is --reset.`)
  if (args.includes('--reset')) rmSync(made, { recursive: true, force: true })
  const receiver = await receiveWebhooks(receiverPort)
  if (!existsSync(made)) {
    process.stdout.write('Living through a month of ferries…\n')
    // Has another name until it is complete: after an interruption, the next call starts over.
    const unfinished = join(home, 'unfinished')
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    await makeDemo(unfinished, receiver)
    renameSync(unfinished, made)
  }
  receiver.breakChat(true)
  const { email, password } = demoPerson
  process.stdout.write(`The demo is in ${made}.\nLog in as ${email} with the password: ${password}\n\n`)
  await serve(demoConfig(made, port, receiver))
  receiver.close()
}

await run(process.argv.slice(2))
