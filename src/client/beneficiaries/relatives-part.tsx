import { Button, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useState } from 'react'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import { useRight } from '../api/session.ts'
import { Facts } from '../ui/facts.tsx'
import { EmptyState } from '../ui/states.tsx'
import { RelativesDialog } from './relatives-dialog.tsx'
import styles from './reader-view.module.css'
import { inWords } from '../page/house-words.ts'

/** Those who borrow in a reader's name. */
export default function RelativesPart({ reader }: { reader: Beneficiary }) {
  const mayEdit = useRight('BENEFICIARY_EDIT')
  const [isOpen, setOpen] = useState(false)
  const { relatives } = reader
  const manage = mayEdit ? (
    <Button
      variant="default"
      leftSection={<IconUsers size="1.2em" aria-hidden />}
      onClick={() => setOpen(true)}
    >
      {relatives.length === 0 ? inWords('Ajouter un proche') : inWords('Gérer les proches')}
    </Button>
  ) : null
  return (
    <>
      {relatives.length === 0 ? (
        <EmptyState message="Personne d’autre n’emprunte à son nom." action={manage} />
      ) : (
        <>
          <Facts
            title="Proches"
            facts={relatives.map(({ id, name, reader_id }) => [
              name,
              reader_id ?? (
                <Text key={id} span inherit c="dimmed">
                  Sans numéro
                </Text>
              ),
            ])}
          />
          <div className={styles['bare']}>
            <div>{manage}</div>
          </div>
        </>
      )}
      {isOpen ? <RelativesDialog reader={reader} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
