import type { ExaminedCopy } from '../../contract/weeding.ts'
import { weedingStops } from '../../domain/weeding.ts'
import { StatusTag } from '../ui/status-tag.tsx'

type StopTagProps = { of: Pick<ExaminedCopy, 'stopped' | 'is_last_awaited'> }

/** What keeps a copy from leaving, or what to think of before it does. */
export function StopTag({ of: { stopped, is_last_awaited } }: StopTagProps) {
  if (stopped !== null) return <StatusTag tone="bad">{weedingStops[stopped]}</StatusTag>
  return is_last_awaited ? <StatusTag tone="warn">Dernier, attendu</StatusTag> : null
}
