import { TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

import type { Shelf } from '../../offline/inventory-rows.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import { hasEveryWord } from '../ui/every-word.ts'
import { useIsPhone } from '../ui/screen-width.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { EmptyState } from '../ui/states.tsx'
import styles from './count.module.css'
import type { CountView } from './count.ts'
import { noShelf, seenWords } from './inventory-words.ts'
import { inWords } from '../page/house-words.ts'

type ShelfSheetProps = {
  view: CountView
  onChoose: (shelf: Shelf | null) => void
  onScan: ScanHandler
  onClose: () => void
}

const fewShelves = 8

/** The shelf that one stands before; those that are counted come first. */
export default function ShelfSheet({ view, onChoose, onScan, onClose }: ShelfSheetProps) {
  const [typed, setTyped] = useState('')
  const isPhone = useIsPhone()
  const { loaded, copies } = view
  const isCounted = ({ id }: Shelf) => loaded.locations.length === 0 || loaded.locations.includes(id)
  const shelves = loaded.shelves
    .filter(({ label }) => hasEveryWord(label, typed))
    .sort((one, other) => Number(isCounted(other)) - Number(isCounted(one)))
  const choose = (shelf: Shelf | null) => {
    onChoose(shelf)
    onClose()
  }
  return (
    <Sheet
      title="Rayon"
      onClose={onClose}
      onScan={onScan}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '80dvh' : '26rem'}
    >
      {loaded.shelves.length > fewShelves ? (
        <TextInput
          type="search"
          aria-label="Chercher un rayon"
          placeholder="Chercher un rayon"
          mb="sm"
          leftSection={<IconSearch size="1.2em" aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
      <ul className={styles['choices']}>
        {shelves.map((shelf) => (
          <li key={shelf.id}>
            <UnstyledButton
              className={styles['choice'] ?? ''}
              aria-pressed={shelf.id === loaded.shelf}
              onClick={() => choose(shelf)}
            >
              <span className={styles['name']}>{shelf.label}</span>
              <span className={styles['figure']}>
                {isCounted(shelf) ? seenWords(copies.at(shelf.id)) : inWords('hors inventaire')}
              </span>
            </UnstyledButton>
          </li>
        ))}
        {typed === '' ? (
          <li>
            <UnstyledButton
              className={styles['choice'] ?? ''}
              aria-pressed={loaded.shelf === null}
              onClick={() => choose(null)}
            >
              <span className={styles['name']}>{noShelf}</span>
            </UnstyledButton>
          </li>
        ) : null}
      </ul>
      {shelves.length === 0 ? <EmptyState message="Aucun emplacement de ce nom." /> : null}
    </Sheet>
  )
}
