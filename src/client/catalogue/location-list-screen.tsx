import { TextInput } from '@mantine/core'

import { type Location, locations } from '../../contract/locations.ts'
import { useRight } from '../api/session.ts'
import { search } from '../ui/filters.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import { ResourceScreen } from '../ui/resource-screen.tsx'

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
      filters={[search('label|like', 'Libellé')]}
      columns={columns}
      fields={({ text }) => <TextInput required maxLength={100} {...text('label', 'Libellé')} />}
    />
  )
}

const columns: readonly Column<Location>[] = [
  { key: 'label', title: 'Libellé', order: 'label', role: 'main', cell: ({ label }) => label },
  {
    key: 'copies_count',
    title: 'Exemplaires',
    order: 'copies_count',
    align: 'end',
    cell: ({ copies_count }) => copies_count,
  },
]
