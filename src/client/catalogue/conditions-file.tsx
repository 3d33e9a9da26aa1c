import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'

import { getConditions, getConditionsSent } from '../../contract/medium-changes.ts'
import { call } from '../api/call.ts'
import { useConnection } from '../api/connection.ts'
import { sayError } from '../page/messages.ts'
import { saveFile } from '../ui/save-file.ts'

type ConditionsFileProps = {
  name: string
  /** Of a medium as it is now, or the version that a loan was made under. */
  of: { medium: number } | { version: string }
}

/** The file of a medium's loan conditions, which no device keeps. */
export default function ConditionsFile({ name, of }: ConditionsFileProps) {
  const isOnline = useConnection() === 'online'
  const open = () =>
    void fileOf(of).then(saveFile, (error: unknown) =>
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

const fileOf = (of: ConditionsFileProps['of']) =>
  'version' in of
    ? call(getConditionsSent, { params: of })
    : call(getConditions, { params: { id: of.medium }, query: {} })
