import { ActionIcon, Menu, Title } from '@mantine/core'
import { IconChevronRight, IconDots } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, useContext, useEffect } from 'react'
import { Link } from 'react-router-dom'

import styles from './page.module.css'
import { TrailContext } from './trail.ts'
import { inWords, useInWords } from '../page/house-words.ts'

type PageAction = {
  label: string
  Icon: ComponentType<{ size: string; 'aria-hidden': true }>
  onRun: () => void
  isDangerous?: boolean
}

type PageProps = {
  title: string
  /** The title is what people named it, which is read as they wrote it. */
  isNamed?: boolean
  /** What is done there, where several screens are called by the same thing. */
  part?: string
  /** At most one primary action. */
  actions?: ReactNode
  rest?: readonly PageAction[]
  children: ReactNode
}

/** A screen with its trail, its title (also the document's), its actions and its content. */
export function Page({ title: label, isNamed = false, part, actions, rest, children }: PageProps) {
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
        {actions || rest ? (
          <div className={styles['deeds']}>
            {actions ? <div className={styles['actions']}>{actions}</div> : null}
            {rest ? <Rest of={title} actions={rest} /> : null}
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

function Rest({ of, actions }: { of: string; actions: readonly PageAction[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={`Actions\u202f: ${of}`}>
          <IconDots size="1.4rem" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, Icon, onRun, isDangerous }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size="1.2em" aria-hidden />}
            onClick={onRun}
            {...(isDangerous ? { c: 'var(--bad-ink)' } : {})}
          >
            {inWords(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
