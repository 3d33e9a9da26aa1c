import type { ReactNode } from 'react'

import type { LabelledReference } from '../../contract/label-list.ts'
import { Cover } from '../ui/cover.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'

type Faced = Pick<LabelledReference, 'name' | 'medium' | 'image_path'>
type Work = Faced & Pick<LabelledReference, 'code' | 'category' | 'tags'>

export const coverOf = ({ name, medium, image_path }: Faced) => (
  <Cover title={name} medium={medium?.name ?? null} image={image_path} />
)

/** Heads the row of a work, or of what is of one. */
export const titleColumn = <Row extends Faced>(cell: (row: Row) => ReactNode) =>
  ({
    key: 'name',
    title: 'Titre',
    order: 'name',
    role: 'main',
    face: coverOf,
    cell,
  }) as const satisfies Column<Row>

export const workColumns = <Row extends Work>(title: (row: Row) => ReactNode) =>
  [
    titleColumn(title),
    {
      key: 'author',
      title: 'Auteur',
      phone: 'who',
      sparse: true,
      width: 13,
      cell: ({ tags }: Row) => tags.author ?? '',
    },
    {
      key: 'code',
      title: 'Code',
      order: 'code',
      role: 'extra',
      sparse: true,
      width: 8,
      cell: ({ code }: Row) => code ?? '',
    },
    {
      key: 'medium',
      title: 'Support',
      order: 'medium',
      role: 'extra',
      width: 7,
      cell: ({ medium }: Row) => medium?.name ?? '',
    },
    {
      key: 'category',
      title: 'Catégorie',
      order: 'category',
      role: 'extra',
      width: 9,
      cell: ({ category }: Row) => category?.name ?? '',
    },
  ] as const satisfies readonly Column<Row>[]
