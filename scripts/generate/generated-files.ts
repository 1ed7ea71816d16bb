import { openApiDocument } from '../../packages/server/src/api/openapi.ts'
import type { describeVariables } from '../../packages/server/src/config.ts'
import type { Route } from '../../packages/server/src/operation/operation.ts'
import { printClientEvents } from './client-events.ts'
import { printClientRoutes, printDashboardRoutes } from './client-routes.ts'
import { printClientTypes } from './client-types.ts'
import { printConfigurationPage } from './configuration-page.ts'
import { printOperationTools } from './mcp-tools.ts'
import { printWords } from './mcp-words.ts'
import { printOperationsPage } from './operations-page.ts'
import { printPythonClient } from './python-client.ts'
import { printWebOperations } from './web-operations.ts'

/** Returns the path and the text of each generated file. The same registry always gives the same bytes. */
export const printGeneratedFiles = (
  routes: readonly Route[],
  variables: ReturnType<typeof describeVariables>,
  version: string,
): Record<string, string> => ({
  ...printPythonClient(agentRoutes(routes), version),
  'docs/api/openapi.json': `${JSON.stringify(openApiDocument(routes, version), null, 2)}\n`,
  'docs/api/operations.md': printOperationsPage(routes),
  'docs/configuration.md': printConfigurationPage(variables),
  'packages/client/src/generated/dashboard.ts': printDashboardRoutes(
    routes.filter(({ audience }) => audience === 'person'),
  ),
  'packages/client/src/generated/events.ts': printClientEvents(),
  'packages/client/src/generated/operations.ts': printClientTypes(agentRoutes(routes)),
  'packages/client/src/generated/routes.ts': printClientRoutes(agentRoutes(routes)),
  'packages/mcp/src/generated/operation-tools.ts': printOperationTools(agentRoutes(routes)),
  'packages/mcp/src/generated/words.ts': printWords(),
  'packages/web/src/generated/web-operations.ts': printWebOperations(routes),
})

const agentRoutes = (routes: readonly Route[]) => routes.filter(({ audience }) => audience === 'agent')
