import { z } from 'zod'

const positiveInt = z.coerce.number().int().min(1)

/** The settings of connections, for `config.ts`. */
export const connectionVariables = {
  HOLDFAST_MAX_CONNECTIONS: positiveInt.default(4096).describe('Open connections in total.'),
  HOLDFAST_MAX_CONNECTIONS_PER_CLIENT: positiveInt
    .default(512)
    .describe('Open connections per address (per /64 of IPv6), except those of trusted proxies.'),
  HOLDFAST_DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600)
    .default(0)
    .describe(
      'How long the server accepts connections after SIGTERM, while `/readyz` answers 503: as long as your load balancer needs to notice.',
    ),
} as const
