import { openApiDocument } from '../../packages/server/src/api/openapi.ts'
import type { describeVariables } from '../../packages/server/src/config.ts'
import type { Operation } from '../../packages/server/src/operation/operation.ts'
import { printClientEvents } from './client-events.ts'
import { printClientRoutes, printDashboardRoutes } from './client-routes.ts'
import { printClientTypes } from './client-types.ts'
import { printConfigurationPage } from './configuration-page.ts'
import { printOperationTools } from './mcp-tools.ts'
import { printOperationsPage } from './operations-page.ts'
import { printPublicOperations } from './web-operations.ts'

/** Each generated file's path under the root of the checkout, and its text. The same registry gives the same bytes. */
export const printGeneratedFiles = (
  operations: readonly Operation[],
  variables: ReturnType<typeof describeVariables>,
  version: string,
): Record<string, string> => ({
  'docs/api/openapi.json': `${JSON.stringify(openApiDocument(operations, version), null, 2)}\n`,
  'docs/api/operations.md': printOperationsPage(operations),
  'docs/configuration.md': printConfigurationPage(variables),
  'packages/client/src/generated/dashboard.ts': printDashboardRoutes(
    operations.filter(({ audience }) => audience === 'dashboard'),
  ),
  'packages/client/src/generated/events.ts': printClientEvents(),
  'packages/client/src/generated/operations.ts': printClientTypes(agentOperations(operations)),
  'packages/client/src/generated/routes.ts': printClientRoutes(agentOperations(operations)),
  'packages/mcp/src/generated/operation-tools.ts': printOperationTools(agentOperations(operations)),
  'packages/web/src/generated/public-operations.ts': printPublicOperations(
    operations.filter(({ audience }) => audience === 'public'),
  ),
})

const agentOperations = (operations: readonly Operation[]) => operations.filter(({ audience }) => audience === 'agent')
