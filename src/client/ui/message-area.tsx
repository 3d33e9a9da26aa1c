import '@mantine/notifications/styles.css'

import { Notifications } from '@mantine/notifications'

/** Where messages appear: top right. What was said before it loaded is shown when it does. */
export default function MessageArea() {
  return <Notifications position="top-right" />
}
