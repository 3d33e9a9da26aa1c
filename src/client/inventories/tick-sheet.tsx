import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

import type { StoredCopy } from '../../offline/inventory-rows.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import { hasEveryWord } from '../ui/every-word.ts'
import { useIsPhone } from '../ui/screen-width.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { EmptyState } from '../ui/states.tsx'
import { counted } from '../ui/words.ts'
import { CopyFace } from './copy-face.tsx'
import styles from './count.module.css'
import type { Count, CountView } from './count.ts'
import { inWords } from '../page/house-words.ts'

type TickSheetProps = { count: Count; view: CountView; onScan: ScanHandler; onClose: () => void }

const shortList = 60

/** For what has no label: copies that are expected on the shelf and were not seen, each ticked by hand. */
export default function TickSheet({ count, view, onScan, onClose }: TickSheetProps) {
  const isPhone = useIsPhone()
  const [typed, setTyped] = useState('')
  const [most, setMost] = useState(shortList)
  const { shelf, copies, scans } = view
  const place = shelf === null ? undefined : shelf.id
  // As they stood when the list was opened: nothing moves under the finger that ticks.
  const [unseen] = useState(() => copies.expected(place).filter(({ id }) => !copies.isCounted(id)))
  const found = unseen.filter((copy) => hasEveryWord(wordsOf(copy), typed))
  const tick = (copy: StoredCopy) => {
    if (!copies.isCounted(copy.id)) return void count.tick(copy)
    const own = scans.find((scan) => scan.copy === copy.id && !scan.taken_back)
    if (own) void count.change(own.key, { taken_back: true })
  }
  return (
    <Sheet
      title={shelf === null ? 'Cocher\u202f: tous les rayons' : `Cocher\u202f: ${shelf.label}`}
      onClose={onClose}
      onScan={onScan}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '88dvh' : '32rem'}
    >
      <TextInput
        type="search"
        aria-label="Chercher dans la liste"
        placeholder={inWords('Titre, cote ou code-barres')}
        mb="sm"
        leftSection={<IconSearch size="1.2em" aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul className={styles['choices']}>
        {found.slice(0, most).map((copy) => (
          <li key={copy.id} className={styles['tick']}>
            <Checkbox
              checked={copies.isCounted(copy.id)}
              onChange={() => tick(copy)}
              styles={{
                body: { alignItems: 'center' },
                labelWrapper: { flex: 1 },
                label: { minHeight: '2.5rem' },
              }}
              label={
                <span className={styles['faced']}>
                  <CopyFace copy={copy} />
                  <span>
                    <span className={styles['name']}>{copy.name}</span>
                    <span className={styles['sentence']}>
                      {[copy.call_number, copy.bar_code].filter(Boolean).join(' · ')}
                    </span>
                  </span>
                </span>
              }
            />
          </li>
        ))}
      </ul>
      {found.length > most ? (
        <Button variant="subtle" fullWidth mt="xs" onClick={() => setMost(most + shortList)}>
          {counted(found.length - most, 'autre exemplaire', 'autres exemplaires')}
        </Button>
      ) : null}
      {found.length === 0 ? (
        <EmptyState
          message={
            unseen.length === 0
              ? 'Tout ce qui est attendu ici a été vu.'
              : 'Aucun exemplaire attendu ici ne correspond.'
          }
        />
      ) : null}
    </Sheet>
  )
}

const wordsOf = ({ name, call_number, bar_code }: StoredCopy): string =>
  [name, call_number, bar_code].filter(Boolean).join(' ')
