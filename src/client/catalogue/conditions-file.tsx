import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'

import { getConditions, getConditionsOfLoan } from '../../contract/medium-changes.ts'
import { call } from '../api/call.ts'
import { useConnection } from '../api/connection.ts'
import { sayError } from '../page/messages.ts'
import { saveFile } from '../ui/save-file.ts'

type ConditionsFileProps = {
  name: string
  /** Those of a medium as it is now, or those that a loan was made under. */
  of: { medium: number } | { loan: number }
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
  'loan' in of
    ? call(getConditionsOfLoan, { params: { id: of.loan } })
    : call(getConditions, { params: { id: of.medium }, query: {} })
