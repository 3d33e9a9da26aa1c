import type { BodyOf } from '../../contract/endpoint.ts'
import { setInventoryStatus } from '../../contract/inventories.ts'
import { useChange } from '../api/queries.ts'
import { sayError } from '../page/messages.ts'

type NewStatus = BodyOf<typeof setInventoryStatus>['status']

/** Suspends, takes up again or gives up an inventory, for everybody. */
export function useSetStatus(id: number) {
  const { mutate } = useChange(setInventoryStatus)
  return (status: NewStatus, onDone?: () => void) =>
    mutate(
      // Each is a gesture of its own: it may be suspended twice.
      { params: { id }, body: { status }, gesture: `${status} ${Date.now()}` },
      { onError: (error) => sayError(error), ...(onDone ? { onSuccess: onDone } : {}) },
    )
}
