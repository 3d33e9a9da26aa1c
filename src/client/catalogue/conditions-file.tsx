import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'

import type { Medium } from '../../contract/media.ts'
import { getConditions } from '../../contract/medium-changes.ts'
import { call } from '../api/call.ts'
import { useConnection } from '../api/connection.ts'
import { sayError } from '../page/messages.ts'
import { saveFile } from '../ui/save-file.ts'

/** The file of a medium's loan conditions, which no device keeps. */
export default function ConditionsFile({ medium: { id, name } }: { medium: Pick<Medium, 'id' | 'name'> }) {
  const isOnline = useConnection() === 'online'
  const open = () =>
    void call(getConditions, { params: { id }, query: {} }).then(saveFile, (error: unknown) =>
      sayError(error, 'Les conditions n’ont pas pu être ouvertes.'),
    )
  return (
    <Button
      variant="subtle"
      px="xs"
      disabled={!isOnline}
      title={isOnline ? undefined : 'Ce fichier ne s’ouvre qu’en ligne.'}
      leftSection={<IconFileText size="1.2em" aria-hidden />}
      aria-label={`Ouvrir les conditions de prêt\u202f: ${name}`}
      onClick={open}
    >
      Ouvrir les conditions
    </Button>
  )
}
