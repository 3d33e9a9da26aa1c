import { useContext } from 'react'
import { Outlet, NavLink } from 'react-router-dom'

import { useInWords } from '../page/house-words.ts'
import { OpenSettings } from './open-settings.ts'
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

/** The settings open to the person, by section. */
function SettingsIndex() {
  const open = useContext(OpenSettings)
  const inWords = useInWords()
  return (
    <nav className={styles['index']} aria-label="Réglages">
      {[...new Set(open.map(({ section }) => section))].map((section) => (
        <div key={section}>
          <span className={styles['section']}>{inWords(section)}</span>
          {open
            .filter((setting) => setting.section === section)
            .map(({ path, label }) => (
              <NavLink key={path} to={path} className={styles['place'] ?? ''}>
                {inWords(label)}
              </NavLink>
            ))}
        </div>
      ))}
    </nav>
  )
}
