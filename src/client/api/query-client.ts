import { QueryClient } from '@tanstack/react-query'

/** Server data: kept for half a minute, shown while it is fetched again. Off line a query fails at once: screens say so. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
