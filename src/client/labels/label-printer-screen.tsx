import { SimpleGrid, TextInput } from '@mantine/core'

import { type LabelPrinter, labelPrinters } from '../../contract/labels.ts'
import { calibrationLine } from '../../domain/label-sheets.ts'
import { useRight } from '../api/session.ts'
import { search } from '../ui/filters.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import { ResourceScreen } from '../ui/resource-screen.tsx'
import { LengthField } from './length-field.tsx'

/** What each printer was measured to be off by, kept for everyone who prints with it. */
export function LabelPrinterScreen() {
  return (
    <ResourceScreen
      resource={labelPrinters}
      title="Imprimantes d’étiquettes"
      about={`La feuille de réglage s’imprime depuis «\u00a0Imprimer des étiquettes\u00a0»\u202f: mesurez-y ses deux traits, attendus à ${calibrationLine} mm des bords, et les étiquettes seront décalées d’autant.`}
      noun={nounOf('imprimante', 'f')}
      example="Laser du bureau"
      mayChange={useRight('BARCODE_PRINT')}
      nameOf={({ name }) => name}
      filters={[search('name|like', 'Nom')]}
      columns={columns}
      fields={({ text, number }) => (
        <>
          <TextInput required maxLength={100} {...text('name', 'Nom')} />
          <SimpleGrid cols={2}>
            <LengthField
              required
              description={`Du bord gauche au trait vertical\u202f: ${calibrationLine} si tout est à sa place.`}
              {...number('measured_left', 'Mesuré à gauche')}
            />
            <LengthField
              required
              description={`Du bord haut au trait horizontal\u202f: ${calibrationLine} si tout est à sa place.`}
              {...number('measured_top', 'Mesuré en haut')}
            />
          </SimpleGrid>
        </>
      )}
    />
  )
}

const mm = (tenths: number) => `${(tenths / 10).toLocaleString('fr')} mm`

const columns: readonly Column<LabelPrinter>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: ({ name }) => name },
  {
    key: 'left',
    title: 'Mesuré à gauche',
    align: 'end',
    width: 10,
    cell: ({ measured_left }) => mm(measured_left),
  },
  {
    key: 'top',
    title: 'Mesuré en haut',
    align: 'end',
    width: 10,
    cell: ({ measured_top }) => mm(measured_top),
  },
]
