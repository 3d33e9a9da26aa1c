import { counted } from '../ui/words.ts'
import { useWaitingCount } from '../outbox/waiting-data.ts'
import { PlaceCount } from './place-count.tsx'

/** Beside « Actions en attente »: how many wait on this device. */
export function WaitingCount() {
  const count = useWaitingCount()
  return <PlaceCount count={count} tone="wait" words={counted(count, 'en attente', 'en attente')} />
}
