/** What may have changed, as people's pages know it. Operations declare which of these they change, and which make their answers outdated. */
export const changeTypes = [
  'memories',
  'tasks',
  'notes',
  'links',
  'messages',
  'documents',
  'runs',
  'agents',
  'vaults',
  'settings',
  'webhooks',
  'account',
] as const
export type ChangeType = (typeof changeTypes)[number]

/** How the activity log groups what was done. */
export const activityClasses = ['content', 'settings', 'sign-in', 'export', 'read'] as const
export type ActivityClass = (typeof activityClasses)[number]

const classByChange: Readonly<Partial<Record<ChangeType, ActivityClass>>> = {
  account: 'sign-in',
  agents: 'settings',
  vaults: 'settings',
  settings: 'settings',
  webhooks: 'settings',
}

export function classOfActivity({
  changes: [first],
  isExport,
}: {
  changes: readonly ChangeType[]
  isExport: boolean
}): ActivityClass {
  if (isExport) return 'export'
  return first === undefined ? 'read' : (classByChange[first] ?? 'content')
}
