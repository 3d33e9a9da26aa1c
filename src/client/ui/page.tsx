import { Title } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useContext, useEffect } from 'react'
import { Link } from 'react-router-dom'

import { type PageAction, PageActions } from './page-actions.tsx'
import styles from './page.module.css'
import { TrailContext } from './trail.ts'
import { useInWords } from '../page/house-words.ts'

type PageProps = {
  title: string
  /** The title is what people named it, which is read as they wrote it. */
  isNamed?: boolean
  /** What is done there, where several screens are called by the same thing. */
  part?: string
  /** A panel or a note over the page, such as the camera. Actions stand beside it. */
  tools?: ReactNode
  actions?: readonly PageAction[]
  rest?: readonly PageAction[]
  children: ReactNode
}

const none: readonly never[] = []

/** A screen with its trail, its title (also the document's), its actions and its content. */
export function Page({ title: label, isNamed = false, part, tools, actions, rest, children }: PageProps) {
  const inWords = useInWords()
  const title = isNamed ? label : inWords(label)
  // Two screens of one name differ by what they stand under.
  const under = useContext(TrailContext).map((one) => inWords(one.label))
  const names = [title, ...(part ? [part] : []), ...under, 'Comptoir'].join(' · ')
  useEffect(() => {
    document.title = names
  }, [names])
  return (
    <div className={styles['page']}>
      <div className={styles['header']}>
        <div className={styles['names']}>
          <TrailOfPage />
          <Title order={1} size="1.5rem" lh={1.25}>
            {title}
          </Title>
        </div>
        {tools || actions || rest ? (
          <div className={styles['deeds']}>
            {tools ? <div className={styles['tools']}>{tools}</div> : null}
            <PageActions of={title} actions={actions ?? none} rest={rest ?? none} />
          </div>
        ) : null}
      </div>
      {children}
    </div>
  )
}

export function TrailOfPage() {
  const trail = useContext(TrailContext)
  const inWords = useInWords()
  if (trail.length === 0) return null
  return (
    <nav aria-label="Fil d’Ariane" className={styles['trail']}>
      {trail.map(({ label, path }) => (
        <span key={path}>
          <Link to={path}>{inWords(label)}</Link>
          <IconChevronRight size="1em" aria-hidden />
        </span>
      ))}
    </nav>
  )
}
