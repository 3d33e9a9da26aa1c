import '@mantine/core/styles/Table.css'

import { Modal, Table } from '@mantine/core'

import type { Right } from '../../domain/rights.ts'
import { useSession } from '../session/session.ts'

/** The keys, said to those who may use them. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const rights = useSession()?.user?.rights ?? []
  return (
    <Modal opened onClose={onClose} title="Raccourcis du clavier">
      <Table>
        <Table.Tbody>
          {keys
            .filter(({ right }) => right === null || rights.includes(right))
            .map(({ key, meaning }) => (
              <Table.Tr key={key}>
                <Table.Td>
                  <kbd>{key}</kbd>
                </Table.Td>
                <Table.Td>{meaning}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

const keys: { key: string; meaning: string; right: Right | null }[] = [
  { key: '/', meaning: 'Rechercher', right: null },
  { key: 'P', meaning: 'Prêt', right: 'LOANING_ADD' },
  { key: 'R', meaning: 'Retour', right: 'LOANING_RETURN' },
  { key: '?', meaning: 'Cette aide', right: null },
  { key: 'Échap', meaning: 'Fermer', right: null },
]
