import { Select, SimpleGrid, TextInput } from '@mantine/core'

import { type LabelSheetItem, labelSheets } from '../../contract/labels.ts'
import type { SheetKind } from '../../domain/label-sheets.ts'
import { useRight } from '../api/session.ts'
import { CountField } from '../ui/count-field.tsx'
import { search } from '../ui/filters.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import { ResourceScreen } from '../ui/resource-screen.tsx'
import { LengthField } from './length-field.tsx'

/** Sheets and rolls of one's own; those of known makers need no description. */
export function LabelSheetScreen() {
  return (
    <ResourceScreen
      resource={labelSheets}
      title="Planches d’étiquettes"
      about={
        'Les planches Avery, et les rouleaux DYMO et Brother, sont déjà connus\u202f: décrivez ici les autres, mesurées à la règle.'
      }
      noun={nounOf('planche', 'f')}
      example="Étiquettes de cote, 80 par feuille"
      mayChange={useRight('BARCODE_PRINT')}
      nameOf={({ name }) => name}
      filters={[search('name|like', 'Nom')]}
      columns={columns}
      fields={({ text, choice, number }) => {
        const kind = choice('kind', 'Imprimée sur')
        const isRoll = kind.value === 'roll_203' || kind.value === 'roll_300'
        return (
          <>
            <TextInput required maxLength={100} {...text('name', 'Nom')} />
            <Select required allowDeselect={false} data={kinds} {...kind} />
            <SimpleGrid cols={2}>
              <LengthField required {...number('label_width', 'Largeur d’une étiquette')} />
              <LengthField required {...number('label_height', 'Hauteur d’une étiquette')} />
            </SimpleGrid>
            {isRoll ? null : (
              <>
                <SimpleGrid cols={2}>
                  <CountField from={1} to={20} {...number('columns', 'Colonnes')} />
                  <CountField from={1} to={40} {...number('rows', 'Lignes')} />
                </SimpleGrid>
                <SimpleGrid cols={2}>
                  <LengthField
                    description="Du bord gauche de la feuille à la première."
                    {...number('margin_left', 'Marge de gauche')}
                  />
                  <LengthField
                    description="Du bord haut de la feuille à la première."
                    {...number('margin_top', 'Marge du haut')}
                  />
                </SimpleGrid>
                <SimpleGrid cols={2}>
                  <LengthField
                    description={'D’un bord gauche au suivant\u202f; 0 si elles se touchent.'}
                    {...number('pitch_x', 'Pas horizontal')}
                  />
                  <LengthField
                    description={'D’un bord haut au suivant\u202f; 0 si elles se touchent.'}
                    {...number('pitch_y', 'Pas vertical')}
                  />
                </SimpleGrid>
              </>
            )}
          </>
        )
      }}
    />
  )
}

const kindWords: Record<SheetKind, string> = {
  sheet: 'Feuille A4',
  roll_203: 'Rouleau, 203 points par pouce',
  roll_300: 'Rouleau, 300 points par pouce',
}
const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }))

const mm = (tenths: number) => (tenths / 10).toLocaleString('fr')

const columns: readonly Column<LabelSheetItem>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: ({ name }) => name },
  { key: 'kind', title: 'Imprimée sur', width: 14, cell: ({ kind }) => kindWords[kind] },
  {
    key: 'size',
    title: 'Étiquette',
    width: 10,
    cell: ({ label_width, label_height }) => `${mm(label_width)} × ${mm(label_height)} mm`,
  },
  {
    key: 'count',
    title: 'Par page',
    align: 'end',
    cell: ({ kind, columns: across, rows }) => (kind === 'sheet' ? across * rows : 1),
  },
]
