import { QueryCache, MutationCache, QueryClient } from '@tanstack/react-query'
import { isTransient, isSignedOut } from './call-error.ts'

const maxRetries = 2

/** `onSignedOut` runs when the server says that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (isSignedOut(error)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < maxRetries && isTransient(error),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
