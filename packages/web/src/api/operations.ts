import { dashboardRoutes, type DashboardOperations } from '@holdfast/client/dashboard'
import { publicRoutes, type PublicOperations } from '../generated/web-operations.ts'

/** All operations that pages can call: the client's, and the public ones that need no session. */
export type Operations = DashboardOperations & PublicOperations
export type OperationName = keyof Operations

export const routes = { ...dashboardRoutes, ...publicRoutes }
