import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react'

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'quiet'

const icons = {
  good: IconCheck,
  warn: IconAlertTriangle,
  bad: IconX,
  wait: IconClock,
  quiet: null,
}

type StatusTagProps = {
  tone: Tone
  /** What it is, where its words are a day or a number. */
  of?: string
  children: string
}

/** A status as colour, icon and word; one that needs no action has no icon. */
export function StatusTag({ tone, of, children }: StatusTagProps) {
  const Icon = icons[tone]
  return (
    <span className="tag toned" data-tone={tone} title={of}>
      {Icon ? <Icon size="1em" stroke={2.5} aria-hidden /> : null}
      {of === undefined ? null : <VisuallyHidden>{of}&#8239;: </VisuallyHidden>}
      {children}
    </span>
  )
}
