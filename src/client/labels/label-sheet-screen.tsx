import { type LabelSheetItem, labelSheets } from '../../contract/label-lists.ts'
import { millimetres } from '../ui/lists/field-kinds.tsx'
import { ResourceScreen } from '../ui/lists/resource-screen.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'

export const LabelSheetScreen = () => <ResourceScreen of={labelSheets} columns={columns} />

const { name, kind } = labelSheets.description.fields

const columns: readonly Column<LabelSheetItem>[] = [
  { key: 'name', title: name.label, order: 'name', role: 'main', cell: (sheet) => sheet.name },
  { key: 'kind', title: kind.label, width: 14, cell: (sheet) => kind.words[sheet.kind] },
  {
    key: 'size',
    title: 'Étiquette',
    width: 10,
    cell: ({ label_width, label_height }) => `${millimetres(label_width)} × ${millimetres(label_height)} mm`,
  },
  {
    key: 'count',
    title: 'Par page',
    align: 'end',
    cell: (sheet) => (sheet.kind === 'sheet' ? sheet.columns * sheet.rows : 1),
  },
]
