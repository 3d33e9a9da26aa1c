import { VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router-dom'

import type { StartState } from '../../contract/start.ts'
import { startTasks } from '../../domain/start-steps.ts'
import { inWords } from '../page/house-words.ts'
import { taskWords } from './start-words.ts'
import styles from './start.module.css'

/** What there is to do before the first loan, done or left, each a link to where it is done. */
export function TasksLeft({ tasks }: Pick<StartState, 'tasks'>) {
  return (
    <ul className={styles['tasks']}>
      {startTasks.map((task) => {
        const { label, to } = taskWords[task]
        const Icon = tasks[task] ? IconCircleCheck : IconCircle
        return (
          <li key={task}>
            <Link to={to} className={styles['task'] ?? ''} data-done={tasks[task] || undefined}>
              <Icon size="1.25rem" aria-hidden />
              <span>{inWords(label)}</span>
              {tasks[task] ? <VisuallyHidden>, fait</VisuallyHidden> : null}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
