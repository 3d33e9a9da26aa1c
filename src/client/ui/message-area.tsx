import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'

import { Notifications } from '@mantine/notifications'

import styles from './message-area.module.css'

/** Messages appear top right under the bar, earlier ones once it has loaded. */
export default function MessageArea() {
  return <Notifications position="top-right" classNames={{ root: styles['area'] ?? '' }} />
}
