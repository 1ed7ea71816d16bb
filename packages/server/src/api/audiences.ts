import type { Route } from '../operation/operation.ts'

/** Who calls operations, in the order of the reference, and what they show at the door; `` ` `` encloses what is code. */
export const audiences: readonly { name: Route['audience']; title: string; credential: string }[] = [
  { name: 'agent', title: 'For agents', credential: 'With an agent key, `svc_…`: `holdfast keys create` makes one.' },
  {
    name: 'person',
    title: 'For people',
    credential: `With a dashboard token, \`hfd_…\`, which \`holdfast setup\` prints; or with the session cookie that login sets, then with the header
\`X-Requested-With\` on every change; or with the operator's token, which acts for the owner, or for the user whose id
stands in the header \`X-Holdfast-User\`. An agent key is not taken here.`,
  },
  {
    name: 'operator',
    title: 'For operators',
    credential:
      "With the operator's token, `hfo_…`, which a running server leaves in `server.json` of its data folder.",
  },
  { name: 'anyone', title: 'For anyone', credential: 'Without a credential.' },
]
