import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '../packages/server/src/cli/serve.ts'
import { demoConfig, demoPerson, makeDemo } from './demo/make-demo.ts'
import { receiveWebhooks } from './demo/receive-webhooks.ts'

/**
 * `npm run demo`: a server with a month of a small team's work in it, in a folder of its own. A further call goes on with what
 * is there; `--reset` begins anew.
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
    // Under another name until it is whole, so that one that was interrupted is made anew.
    const unfinished = join(home, 'unfinished')
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    await makeDemo(unfinished, receiver)
    renameSync(unfinished, made)
  }
  receiver.breakChat(true)
  const { email, password } = demoPerson
  process.stdout.write(`The demonstration lies in ${made}.\nLog in as ${email} with the password: ${password}\n\n`)
  await serve(demoConfig(made, port, receiver))
  receiver.close()
}

await run(process.argv.slice(2))
