import type { Answer, TestApp, TestAppOptions } from '../../../test/app.ts'
import type { TestUser } from '../../../test/factories.ts'
import { parseAllowList } from '../address.ts'

export const local: TestAppOptions = { config: { webhookAllow: parseAllowList('127.0.0.1').targets } }

export const callAs = (test: TestApp, user: TestUser) => (name: string, body?: unknown) =>
  test.call(name, body, { key: user.dashboardToken })

export const webhookOf = ({ body }: Answer) => body.webhook as Record<string, unknown> & { id: string; secret: string }

export const draft = { url: 'https://hooks.example.org/in?token=x', events: ['message.created'] }
