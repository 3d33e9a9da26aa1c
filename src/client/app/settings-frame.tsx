import { useLayoutEffect, useRef } from 'react'
import { Link, matchPath, Outlet, useLocation } from 'react-router-dom'

import { useInWords } from '../page/house-words.ts'
import { isSetting, screens } from './screens.tsx'
import styles from './settings-screen.module.css'
import { useSettingsSearch } from './settings-search.tsx'

/** One of the settings, with the index of all beside it where there is room. */
export default function SettingsFrame() {
  const { pathname } = useLocation()
  const screen = screens.find(({ path }) => matchPath(path, pathname))
  return (
    <div className={styles['beside']} data-wide={screen?.isWide}>
      <SettingsIndex here={screen && !isSetting(screen) ? screen.under : pathname} />
      <div className={styles['screen']}>
        <Outlet />
      </div>
    </div>
  )
}

/** `here`: the address of the setting that is shown, or that what is shown stands under. */
function SettingsIndex({ here }: { here: string | undefined }) {
  const { pathname, hash } = useLocation()
  const [sections, search] = useSettingsSearch()
  const inWords = useInWords()
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const place = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!list.current || !place) return
    const { scrollTop, clientHeight } = list.current
    const isInSight =
      place.offsetTop >= scrollTop && place.offsetTop + place.offsetHeight <= scrollTop + clientHeight
    // By hand, because the browser's own way may scroll the page as well.
    if (!isInSight) list.current.scrollTop = place.offsetTop - clientHeight / 2
  }, [here])
  return (
    <nav className={styles['index']} aria-label="Réglages">
      {search}
      <div ref={list} className={styles['list']}>
        {sections.map(({ title, entries }) => (
          <div key={title}>
            <span className={styles['section']}>{inWords(title)}</span>
            {entries.map(({ to, label }) => (
              <Link
                key={to}
                to={to}
                className={styles['place']}
                aria-current={
                  [pathname, pathname + hash].includes(to) ? 'page' : to === here ? 'true' : undefined
                }
              >
                {inWords(label)}
              </Link>
            ))}
          </div>
        ))}
      </div>
    </nav>
  )
}
