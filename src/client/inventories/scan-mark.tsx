import {
  IconArchiveOff,
  IconCheck,
  IconChecks,
  IconMapPin,
  IconQuestionMark,
  IconUserShare,
} from '@tabler/icons-react'

import type { ScanVerdict } from '../../domain/inventory.ts'

const icons = {
  found: IconCheck,
  already: IconChecks,
  elsewhere: IconMapPin,
  lent: IconUserShare,
  withdrawn: IconArchiveOff,
  unknown: IconQuestionMark,
} as const satisfies Record<ScanVerdict, typeof IconCheck>

export function ScanMark({ verdict, size }: { verdict: ScanVerdict; size: string }) {
  const Icon = icons[verdict]
  return <Icon size={size} stroke={2.25} aria-hidden />
}
