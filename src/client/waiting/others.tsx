import { Button, Group, Text, Title } from '@mantine/core'

import { useRight } from '../api/session.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { counted } from '../ui/words.ts'
import type { OthersQueue } from '../outbox/waiting-data.ts'

type OthersProps = { others: readonly OthersQueue[]; onAdopt: (queue: OthersQueue) => void }

/** Sent when these people sign in again, or by whoever may take them over. */
export function Others({ others, onAdopt }: OthersProps) {
  const mayAdopt = useRight('QUEUE_ADOPT')
  const confirm = useConfirm()
  const ask = async (queue: OthersQueue) => {
    const isSure = await confirm({
      title: `Reprendre les actions de ${queue.username}`,
      isNamed: true,
      message: `${counted(queue.count, 'action sera envoyée', 'actions seront envoyées')} en votre nom. Le journal gardera vos deux noms.`,
      acts: 'sends',
    })
    if (isSure) onAdopt(queue)
  }
  return (
    <section className="panel" aria-labelledby="autres">
      <Title order={2} size="h4" id="autres" mb="xs">
        Actions d’autres personnes
      </Title>
      {others.map((queue) => (
        <Group key={queue.person} justify="space-between" gap="sm" mb="xs">
          <Text>
            {queue.username}&#8239;: {counted(queue.count, 'action', 'actions')}
          </Text>
          {mayAdopt ? (
            <Button
              variant="light"
              aria-label={`Reprendre les actions de ${queue.username}`}
              onClick={() => void ask(queue)}
            >
              Reprendre
            </Button>
          ) : null}
        </Group>
      ))}
      <Text c="dimmed" size="sm">
        {mayAdopt
          ? 'Elles partiront à leur prochaine connexion sur cet appareil, ou si vous les reprenez. Celles qui viennent d’un fichier attendront d’être confirmées.'
          : 'Elles partiront à leur prochaine connexion sur cet appareil, ou si un responsable les reprend. Celles qui viennent d’un fichier attendront d’être confirmées.'}
      </Text>
    </section>
  )
}
