import { rateLimited } from '../core/errors.ts'
import type { Keyring } from '../auth/keyring.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { WebhookGate } from '../operation/context.ts'
import type { News } from '../calls/news.ts'
import type { AllowedTarget } from './address.ts'
import { startDeliverer, type Deliverer } from './deliver.ts'
import { createPost, createReadDocument, type Post } from './post.ts'
import { createResolve, createVetUrl } from './vet-url.ts'

export interface Webhooks extends WebhookGate {
  /** Starts sending queued deliveries. Before that, `wake` does nothing. */
  start(): void
  stop(): Promise<void>
}

export interface WebhookParts {
  db: Database
  keyring: Keyring
  news: News
  log: Log
  now(): number
  allowed: readonly AllowedTarget[]
  ownPort: number
  /** Sees each request, for metrics and traces. */
  watchPost(post: Post): Post
}

const allowHint = '; the server operator can allow it with HOLDFAST_WEBHOOK_ALLOW'

export function createWebhooks({ allowed, ownPort, watchPost, ...parts }: WebhookParts): Webhooks {
  const vetUrl = createVetUrl({ allowed, ownPort, resolve: createResolve({ usesSystem: allowed.length > 0 }) })
  const post = watchPost(createPost(vetUrl))
  const readDocument = createReadDocument(vetUrl)
  const waiting = new Set<string>()
  const alone = async <Answer>(userId: string, work: () => Promise<Answer>): Promise<Answer> => {
    if (waiting.has(userId)) throw rateLimited(1)
    waiting.add(userId)
    try {
      return await work()
    } finally {
      waiting.delete(userId)
    }
  }
  let deliverer: Deliverer | undefined
  return {
    start() {
      deliverer ??= startDeliverer({ ...parts, post })
    },
    stop: async () => deliverer?.stop(),
    wake: () => deliverer?.wake(),
    async refusal(url) {
      const vetted = await vetUrl(url)
      // A name that doesn't resolve now may resolve later. Each attempt resolves it again.
      if (vetted.isAllowed || !vetted.isFinal) return undefined
      return vetted.isOpenable ? vetted.reason + allowHint : vetted.reason
    },
    post: (userId, url, request) => alone(userId, () => post(url, request)),
    readDocument: (userId, url) => alone(userId, () => readDocument(url)),
  }
}
