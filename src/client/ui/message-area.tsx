import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'

import { Notifications } from '@mantine/notifications'

import styles from './message-area.module.css'

/** Where messages appear: top right, under the bar. What was said before it loaded is shown when it does. */
export default function MessageArea() {
  return <Notifications position="top-right" classNames={{ root: styles['area'] ?? '' }} />
}
