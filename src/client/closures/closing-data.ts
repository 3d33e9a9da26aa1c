import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { previewClosing } from '../../contract/closings.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { call } from '../api/call.ts'
import { useDebounced } from '../ui/use-debounced.ts'

export type AskedClosing = BodyOf<typeof previewClosing>

/** What closing would move, which changes nothing. */
export const askPreview = (body: AskedClosing, signal?: AbortSignal) => call(previewClosing, { body, signal })

/** The same while it is written; null is not enough to ask. */
export function useClosingPreview(asked: AskedClosing | null) {
  const settled = useDebounced(JSON.stringify(asked), 300)
  return useQuery({
    queryKey: ['closures', 'preview', settled],
    queryFn: ({ signal }) => askPreview(JSON.parse(settled) as AskedClosing, signal),
    enabled: settled !== 'null',
    placeholderData: keepPreviousData,
    retry: false,
  })
}
