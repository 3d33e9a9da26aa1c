import { Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'

import { dismissStart } from '../../contract/start.ts'
import { startTasks } from '../../domain/start-steps.ts'
import { useChange } from '../api/queries.ts'
import { sayError } from '../page/messages.ts'
import { leftIn, startQuery } from './start-data.ts'
import { TasksLeft } from './tasks-left.tsx'

/** The home page's list of what is left before the first loan, until it is done or put away. */
export default function LeftToDo() {
  const { data } = useQuery({
    ...startQuery,
    // Once it is over nothing asks again.
    enabled: ({ state: { data: known } }) => !known?.dismissed,
  })
  const dismiss = useChange(dismissStart)
  const left = data ? leftIn(data) : []
  // The last line is ticked in sight; the card is gone at the next visit.
  const [wasLeft, setWasLeft] = useState(left.length > 0)
  if (!wasLeft && left.length > 0) setWasLeft(true)
  if (!data || data.dismissed || !wasLeft) return null
  const done = startTasks.length - left.length
  const putAway = () => dismiss.mutate({ body: { dismissed: true } }, { onError: (error) => sayError(error) })
  return (
    <section className="panel" aria-label="Reste à faire">
      <Group justify="space-between" align="baseline" gap="xs" mb="xs">
        <Title order={2} size="h4">
          Reste à faire
        </Title>
        <Text c="dimmed" size="sm">
          {left.length === 0 ? 'Tout est fait' : `${done} sur ${startTasks.length}`}
        </Text>
      </Group>
      <TasksLeft tasks={data.tasks} />
      <Group gap="xs" mt="sm">
        {left.length === 0 ? null : (
          <Button component={Link} to="/start">
            {done === 0 ? 'Commencer' : 'Continuer'}
          </Button>
        )}
        <Button variant="subtle" loading={dismiss.isPending} onClick={putAway}>
          Ne plus afficher
        </Button>
      </Group>
    </section>
  )
}
