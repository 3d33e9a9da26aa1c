import type { ReactNode } from 'react'

import type { LabelledReference } from '../../contract/label-list.ts'
import type { Column } from '../ui/lists/resource-table.tsx'

type Work = Pick<LabelledReference, 'code' | 'category' | 'medium' | 'image_path' | 'tags'>

/** Heads the row of a work, or of what is of one. */
export const titleColumn = <Row extends Pick<Work, 'medium' | 'image_path'>>(cell: (row: Row) => ReactNode) =>
  ({
    key: 'name',
    title: 'Titre',
    order: 'name',
    role: 'main',
    medium: ({ medium }: Row) => medium?.name ?? null,
    image: ({ image_path }: Row) => image_path,
    cell,
  }) as const satisfies Column<Row>

export const workColumns = <Row extends Work>(title: (row: Row) => ReactNode) =>
  [
    titleColumn(title),
    { key: 'author', title: 'Auteur', phone: 'who', width: 13, cell: ({ tags }: Row) => tags.author ?? '' },
    {
      key: 'code',
      title: 'Code',
      order: 'code',
      role: 'extra',
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
