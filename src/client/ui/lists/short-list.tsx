import { Button } from '@mantine/core'
import { useState } from 'react'

import { counted } from '../words.ts'

/** More rows than a person looks through slow down each scan, and fill the memory of a tablet. */
const firstRows = 40

/** The first rows, and those that `isPinned` keeps in sight, until somebody asks for all. Render `more` after them. */
export function useShortList<Row>(
  rows: readonly Row[],
  isPinned: (row: Row) => boolean = () => false,
  first = firstRows,
) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.filter((row, at) => at < first || isPinned(row))
  const rest = rows.length - shown.length
  const more =
    rest > 0 ? (
      <Button variant="subtle" fullWidth onClick={() => setWhole(true)}>
        {rest === 1
          ? 'Afficher l’autre ligne'
          : `Afficher les ${counted(rest, 'autre ligne', 'autres lignes')}`}
      </Button>
    ) : null
  return { shown, more }
}
