import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react'

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'quiet'

const icons = {
  good: IconCheck,
  warn: IconAlertTriangle,
  bad: IconX,
  wait: IconClock,
  quiet: null,
}

/** A status as colour, icon and word; one that needs no action has no icon. */
export function StatusTag({ tone, children }: { tone: Tone; children: string }) {
  const Icon = icons[tone]
  return (
    <span className="tag" data-tone={tone}>
      {Icon ? <Icon size="1em" stroke={2.5} aria-hidden /> : null}
      {children}
    </span>
  )
}
