import type { Copy } from '../../contract/catalogue.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { copyTones } from './copy-tones.ts'

/** Whether a copy may be lent; of one that was sold, since when it is gone. */
export function CopyStatus({ copy: { status_name, sold_on } }: { copy: Copy }) {
  if (sold_on !== null) return <StatusTag tone="quiet">{`Vendu le ${frenchDay(sold_on)}`}</StatusTag>
  return <StatusTag tone={copyTones[status_name]}>{status_name}</StatusTag>
}
