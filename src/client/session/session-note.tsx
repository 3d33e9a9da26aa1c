import { IconAlertCircle, IconCloudOff, IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import styles from './session-note.module.css'

const icons = { good: IconMail, warn: IconCloudOff, bad: IconAlertCircle }

export function SessionNote({ tone, children }: { tone: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={`toned ${styles['note']}`} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size="1.4rem" aria-hidden />
      <div>{children}</div>
    </div>
  )
}
