import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'

import { Notifications } from '@mantine/notifications'

import styles from './message-area.module.css'

/** Where more are said at once, the last is at the top and waits for none before it. */
const mostAtOnce = 30

/** Messages appear top right over the bar, those said before it has loaded as well. */
export default function MessageArea() {
  return (
    <Notifications
      ref={tellEnd}
      position="top-right"
      limit={mostAtOnce}
      classNames={{ root: styles['area'] ?? '' }}
    />
  )
}

/** Dialogs keep clear of `--said`, where the last message ends. */
function tellEnd(area: HTMLDivElement | null) {
  // There is one for each corner.
  if (area?.dataset['position'] !== 'top-right') return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    if (area.offsetHeight === 0) style.removeProperty('--said')
    else style.setProperty('--said', `${Math.ceil(area.getBoundingClientRect().bottom)}px`)
  })
  observer.observe(area)
  return () => observer.disconnect()
}
