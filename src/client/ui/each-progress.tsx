import '@mantine/core/styles/Progress.css'

import { Progress as Bar, Text } from '@mantine/core'

import { frenchNumber } from '../../domain/french-number.ts'
import type { Progress } from '../api/queries.ts'

/** « 12 sur 28 »; `title` tells readers of screens which change it is. */
export default function EachProgress({ title, progress }: { title: string; progress: Progress }) {
  const { done, total, isStopping } = progress
  const words = `${frenchNumber(done)} sur ${frenchNumber(total)}`
  return (
    <div>
      <Text role="status" mb={4}>
        {isStopping ? `${words}, arrêt en cours` : words}
      </Text>
      <Bar value={(100 * done) / total} aria-label={title} />
    </div>
  )
}
