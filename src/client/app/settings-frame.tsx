import { Outlet } from 'react-router-dom'

import { SettingsIndex } from './settings-index.tsx'
import styles from './settings-screen.module.css'

/** One of the settings, with the index of all beside it where there is room. */
export default function SettingsFrame() {
  return (
    <div className={styles['beside']}>
      <SettingsIndex />
      <Outlet />
    </div>
  )
}
