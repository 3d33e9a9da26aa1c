import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { listCopies } from '../../contract/catalogue.ts'
import { changeCopy } from '../../contract/copies.ts'
import { membersOf } from '../../contract/list.ts'
import { copyUpdated } from '../../domain/sentences/catalogue.ts'
import { useConnection } from '../api/connection.ts'
import { listQuery, useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { copyTones } from './copy-tones.ts'

type UnavailableCopyProps = {
  /** Null until the server has kept its return. */
  copy: number | null
}

/** A copy that came back unusable stays off the shelf, until its switch is turned. */
export default function UnavailableCopy({ copy }: UnavailableCopyProps) {
  const mayChange = useRight('COPY_MODIFY')
  const isOnline = useConnection() === 'online'
  const { data } = useQuery({
    ...listQuery(listCopies, { limit: 1, filters: [{ field: 'id', operator: 'eq', value: copy ?? 0 }] }),
    enabled: copy !== null && isOnline,
  })
  const known = membersOf(data)?.[0]
  const { mutateAsync, isPending } = useChange(changeCopy)
  // Somebody put it back, or lent it, since.
  if (known && known.status_name !== 'Non Disponible') return null
  const putBack = async (id: number, bar_code: string) => {
    try {
      await mutateAsync({ params: { id }, body: { status: 'Disponible' } })
      say(copyUpdated, 'good', { about: bar_code })
    } catch (error) {
      sayError(error)
    }
  }
  return (
    <Group gap="xs" role="note">
      <StatusTag tone={copyTones['Non Disponible']}>Non Disponible</StatusTag>
      <Text size="sm">Revenu inutilisable&#8239;: il ne sera plus prêté.</Text>
      {known && mayChange && isOnline ? (
        <Button
          variant="default"
          loading={isPending}
          aria-label={`Rendre disponible\u202f: ${known.name}`}
          onClick={() => void putBack(known.id, known.bar_code)}
        >
          Rendre disponible
        </Button>
      ) : null}
    </Group>
  )
}
