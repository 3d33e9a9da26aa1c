import type { Answered } from '../http/run-change.ts'
import type { Metrics } from './metrics.ts'

/** Counts replays and conflicts; a replayed conflict is only a replay. */
export const countChange =
  (metrics: Pick<Metrics, 'replayed' | 'conflicted'>) =>
  (endpoint: string, { replayed, status, answer }: Answered): void => {
    if (replayed) metrics.replayed(endpoint)
    else if (status === 409) {
      const { reason } = JSON.parse(answer) as { reason?: string }
      metrics.conflicted(reason ?? 'OTHER')
    }
  }
