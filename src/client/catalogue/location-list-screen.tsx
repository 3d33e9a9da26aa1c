import { TextInput } from '@mantine/core'

import { type Location, locations } from '../../contract/locations.ts'
import { moveLocation } from '../../contract/moves.ts'
import { likelyCode } from '../../domain/bar-code.ts'
import { useRight } from '../api/session.ts'
import { search } from '../ui/filters.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import { ResourceScreen } from '../ui/resource-screen.tsx'
import { ScanField } from '../ui/scan-field.tsx'
import { inWords } from '../page/house-words.ts'

export default function LocationListScreen() {
  return (
    <ResourceScreen
      resource={locations}
      title="Emplacements"
      about="Où les exemplaires se rangent. Renommé, un emplacement l’est pour tous ceux qui y sont."
      noun={nounOf('emplacement', 'm')}
      example="Espace jeunesse"
      mayChange={useRight('PARAMETER_LOCATIONS')}
      nameOf={({ label }) => label}
      moves={{ by: moveLocation, label: 'Autre emplacement', missing: 'Choisissez leur emplacement.' }}
      filters={[search('label|like', 'Libellé')]}
      columns={columns}
      fields={({ text, write }) => (
        <>
          <TextInput required maxLength={100} {...text('label', 'Libellé')} />
          <ScanField
            description={inWords(
              'Celui de l’étiquette collée sur le rayon, que l’inventaire scanne. Facultatif.',
            )}
            onScan={(code) => write('bar_code', likelyCode(code))}
            {...text('bar_code', 'Code-barres du rayon')}
          />
        </>
      )}
    />
  )
}

const columns: readonly Column<Location>[] = [
  { key: 'label', title: 'Libellé', order: 'label', role: 'main', cell: ({ label }) => label },
  {
    key: 'bar_code',
    title: 'Code-barres du rayon',
    width: 12,
    role: 'extra',
    cell: ({ bar_code }) => bar_code,
  },
  {
    key: 'copies_count',
    title: 'Exemplaires',
    order: 'copies_count',
    align: 'end',
    cell: ({ copies_count }) => copies_count,
  },
]
