import '@mantine/core/styles/Table.css'

import { Table, Text } from '@mantine/core'

import type { Right } from '../../domain/rights.ts'
import { useRights } from '../api/session.ts'
import { acts } from '../ui/acts.ts'

/** The keys, said to those who may use them. */
export function KeysTable() {
  const rights = useRights()
  return (
    <>
      <Table aria-label="Raccourcis du clavier">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Touche</Table.Th>
            <Table.Th scope="col">Ce qu’elle fait</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys
            .filter(({ right }) => right === null || [right].flat().some((one) => rights.includes(one)))
            .map(({ key, inFields, meaning }) => (
              <Table.Tr key={meaning}>
                <Table.Td>
                  <kbd>{key}</kbd>
                  {inFields ? (
                    <>
                      {' ou '}
                      <kbd>{inFields}</kbd>
                    </>
                  ) : null}
                </Table.Td>
                <Table.Td>{meaning}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="sm">
        Dans un champ de saisie, une lettre seule est du texte : ajoutez Alt. Les touches seules se coupent
        dans « Mon compte ».
      </Text>
    </>
  )
}

/** Who has a form with a screen of its own (`FormPage`). */
export const rightsOfForms: readonly Right[] = [
  'LOANING_EDIT',
  'BENEFICIARY_EDIT',
  'COPY_CREATEREF',
  'REFERENCE_EDIT',
  'RESERVATION_EDIT',
  'INVENTORY',
  'PARAMETER_GENERAL',
  'PARAMETER_LAW',
  'PARAMETER_MAIL',
]

/** `inFields`: the same while a field has the focus, where letters are text. */
const keys: { key: string; inFields?: string; meaning: string; right: Right | readonly Right[] | null }[] = [
  { key: 'Ctrl K', meaning: 'Rechercher partout', right: null },
  { key: '/', meaning: 'Rechercher dans l’écran', right: null },
  { key: 'P', inFields: 'Alt P', meaning: acts.lend.label, right: acts.lend.rights },
  { key: 'R', inFields: 'Alt R', meaning: acts.giveBack.label, right: acts.giveBack.rights },
  { key: 'J', inFields: 'Alt J', meaning: 'Fiche suivante, à côté de la liste', right: null },
  { key: 'K', inFields: 'Alt K', meaning: 'Fiche précédente', right: null },
  { key: '↑ ↓', meaning: 'Ligne précédente ou suivante d’une liste', right: null },
  { key: 'Espace', meaning: 'Cocher la ligne', right: null },
  { key: 'M', meaning: 'Actions de la ligne, chacune avec sa lettre', right: null },
  { key: '?', inFields: 'Alt A', meaning: 'Cette aide', right: null },
  { key: 'Ctrl Entrée', meaning: 'Enregistrer le formulaire', right: rightsOfForms },
  { key: 'Échap', meaning: 'Fermer', right: null },
]
