/**
 * What the adapter needs of VoltAgent, which is too large to install for every change: with its own dependencies it has 315 MB. A long
 * test compiles against the real package.
 */
declare module '@voltagent/core' {
  export interface Conversation {
    id: string
    resourceId: string
    userId: string
    title: string
    metadata: Record<string, unknown>
    createdAt: string
    updatedAt: string
  }
  export type CreateConversationInput = Omit<Conversation, 'createdAt' | 'updatedAt'>
  export interface ConversationQueryOptions {
    userId?: string
    resourceId?: string
    limit?: number
    offset?: number
    orderBy?: 'created_at' | 'updated_at' | 'title'
    orderDirection?: 'ASC' | 'DESC'
  }
  export interface GetMessagesOptions {
    limit?: number
    before?: Date
    after?: Date
    roles?: string[]
  }
  export interface ConversationStepRecord {
    id: string
    conversationId: string
    userId: string
    operationId: string
    stepIndex: number
  }
  export interface GetConversationStepsOptions {
    limit?: number
    operationId?: string
  }
  export type WorkingMemoryScope = 'conversation' | 'user'
  export interface WorkflowStateEntry {
    id: string
    workflowId: string
    workflowName: string
    status: 'running' | 'suspended' | 'completed' | 'cancelled' | 'error'
    suspension?: { suspendedAt: Date }
    cancellation?: { cancelledAt: Date }
    userId?: string
    metadata?: Record<string, unknown>
    createdAt: Date
    updatedAt: Date
  }
  export interface WorkflowRunQuery {
    workflowId?: string
    status?: WorkflowStateEntry['status']
    from?: Date
    to?: Date
    limit?: number
    offset?: number
    userId?: string
    metadata?: Record<string, unknown>
  }
}
