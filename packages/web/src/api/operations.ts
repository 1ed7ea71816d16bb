import { dashboardRoutes, type DashboardOperations } from '@holdfast/client/dashboard'
import { publicRoutes, type PublicOperations } from '../generated/web-operations.ts'

/** Everything that a page may call: what the client knows, and what needs nobody signed in. */
export type Operations = DashboardOperations & PublicOperations
export type OperationName = keyof Operations

export const routes = { ...dashboardRoutes, ...publicRoutes }
