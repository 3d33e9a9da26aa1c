import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'

import { useInWords } from '../page/house-words.ts'
import styles from './sections-nav.module.css'

type PageSection = { id: string; title: string }

type SectionsNavProps = {
  /** Keep the array from one render to the next. */
  sections: readonly PageSection[]
  /** Those in which something is to be corrected. */
  wrong: readonly string[]
}

/** Each section of a long page at one press; the one in sight is marked. */
export function SectionsNav({ sections, wrong }: SectionsNavProps) {
  const inWords = useInWords()
  const here = useSectionInSight(sections)
  const line = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const link = line.current?.querySelector<HTMLElement>('[aria-current]')
    // By hand, because the browser's own way scrolls the page as well.
    if (line.current && link)
      line.current.scrollLeft = link.offsetLeft - (line.current.clientWidth - link.offsetWidth) / 2
  }, [here])
  return (
    <nav ref={line} className={styles['line']} aria-label="Sections">
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={`#${id}`}
              replace
              className={styles['place']}
              aria-current={id === here ? 'location' : undefined}
            >
              {inWords(title)}
              {wrong.includes(id) ? (
                <>
                  <IconAlertTriangle className={styles['wrong']} size="1.1em" aria-hidden />
                  <VisuallyHidden component="span">, à corriger</VisuallyHidden>
                </>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The head of a section that was scrolled to stands higher, under all that covers the page's upper end. */
const readFrom = 160

function useSectionInSight(sections: readonly PageSection[]): string | undefined {
  const { hash } = useLocation()
  const [here, setHere] = useState(sections[0]?.id)
  useEffect(() => {
    const look = () => setHere(sectionInSight(sections, hash.slice(1)))
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [sections, hash])
  return here
}

function sectionInSight(sections: readonly PageSection[], asked: string): string | undefined {
  const { scrollHeight, clientHeight } = document.documentElement
  const isAtEnd = scrollY > 0 && scrollY + clientHeight >= scrollHeight - 1
  const read = sections.findLastIndex(
    ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= readFrom,
  )
  // The last ones never come up to where one reads: at the end it is the one that was asked for.
  const within = document.getElementById(asked)?.closest('section')?.id
  const wanted = sections.findIndex(({ id }) => id === within)
  const at = !isAtEnd ? read : wanted >= read ? wanted : sections.length - 1
  return sections[Math.max(0, at)]?.id
}
