import { useContext } from 'react'
import { NavLink } from 'react-router-dom'

import { OpenSettings } from './open-settings.ts'
import styles from './settings-screen.module.css'
import { useInWords } from '../page/house-words.ts'

/** The settings open to the person, by section. */
export function SettingsIndex() {
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
