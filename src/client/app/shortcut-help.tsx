import '@mantine/core/styles/Table.css'

import { Modal, Table } from '@mantine/core'

/** The keys, said. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Raccourcis du clavier">
      <Table>
        <Table.Tbody>
          {keys.map(([key, meaning]) => (
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

const keys = [
  ['/', 'Rechercher'],
  ['P', 'Prêt'],
  ['R', 'Retour'],
  ['?', 'Cette aide'],
  ['Échap', 'Fermer'],
] as const
