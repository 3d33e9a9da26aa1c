import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'

import { markPrinted, wantLabels } from '../../contract/labels.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { counted } from '../ui/words.ts'
import styles from './labels.module.css'

/** Without the focus, so that no scan answers. */
const showAtOnce = (question: HTMLElement | null) => question?.scrollIntoView({ block: 'nearest' })

/** Asked once labels that were awaited went to the printer: only a person knows whether they are stuck. */
export function PrintedQuestion({ wanted }: { wanted: readonly number[] }) {
  const printed = useChange(markPrinted)
  const want = useChange(wantLabels)
  const [cleared, setCleared] = useState<readonly number[]>([])
  if (cleared.length > 0) {
    return (
      <Alert color="lamp" role="status" className={styles['asked'] ?? ''}>
        <Group justify="space-between">
          <Text>
            {counted(cleared.length, 'exemplaire n’attend plus', 'exemplaires n’attendent plus')} d’étiquette.
          </Text>
          <Button
            variant="default"
            loading={want.isPending}
            onClick={() =>
              want.mutate(
                { body: { copies: [...cleared] } },
                {
                  onSuccess: () => {
                    setCleared([])
                    say('Les étiquettes sont de nouveau attendues.')
                  },
                  onError: (error) => sayError(error),
                },
              )
            }
          >
            Annuler
          </Button>
        </Group>
      </Alert>
    )
  }
  if (wanted.length === 0) return null
  return (
    <Alert ref={showAtOnce} color="yellow" role="status" className={styles['asked'] ?? ''}>
      <Group justify="space-between">
        <Text>Les étiquettes sont-elles bien imprimées&#8239;?</Text>
        <Button
          loading={printed.isPending}
          onClick={() =>
            printed.mutate(
              { body: { copies: [...wanted] } },
              { onSuccess: ({ copies }) => setCleared(copies), onError: (error) => sayError(error) },
            )
          }
        >
          Oui, ne plus les attendre
        </Button>
      </Group>
    </Alert>
  )
}
