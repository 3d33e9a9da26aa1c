import { Menu, UnstyledButton } from '@mantine/core'
import { IconBarcodeOff, IconRotateClockwise, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

import { newKey } from '../../offline/new-key.ts'
import { nameHere } from '../scanner/known-here.ts'
import { submitScan } from '../scanner/scan-source.tsx'
import { type ScanNotTaken, takeNotTaken, takeOneNotTaken, useNotTaken } from '../scanner/scans-not-taken.ts'
import { counted } from '../ui/words.ts'
import styles from './not-taken-menu.module.css'
import bar from './top-bar.module.css'

const takenUp = <IconRotateClockwise size="1.2em" aria-hidden />
const putAway = <IconX size="1.2em" aria-hidden />

/** Codes that no screen took, until somebody takes them up or puts them away; in the bar, where they move nothing. */
export default function NotTakenMenu() {
  const scans = useNotTaken()
  const [isOpen, setOpen] = useState(false)
  /** One after the other; what waits for its turn stays in the bar. */
  const takeUp = async (taken: readonly ScanNotTaken[]) => {
    // Under its own menu no card would open its reader.
    flushSync(() => setOpen(false))
    const turn = newKey()
    for (const scan of taken) {
      const { code, symbology, reader } = scan
      if (takeOneNotTaken(scan)) await submitScan(code, symbology, { reader, turn })
    }
  }
  const words = counted(scans.length, 'code non pris', 'codes non pris')
  const isOne = scans.length === 1
  return (
    <Menu
      position="bottom-end"
      width="20rem"
      opened={isOpen}
      onChange={setOpen}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <UnstyledButton className={bar['waiting'] ?? ''} aria-label={words} title={words}>
          <span className="tag toned" data-tone="warn" aria-hidden>
            <IconBarcodeOff size="1.1em" />
            <span className={bar['word']}>{words}</span>
            <span className={bar['few']}>{scans.length}</span>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles['scans']}>
          {scans.map((scan, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- the same code may stand there twice
            <OneScan key={`${scan.code} ${at}`} scan={scan} onTakeUp={() => void takeUp([scan])} />
          ))}
        </div>
        {isOne ? null : (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={takenUp} onClick={() => void takeUp(scans)}>
              Les reprendre
            </Menu.Item>
            <Menu.Item leftSection={putAway} onClick={takeNotTaken}>
              Les écarter
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A code, with the title or the reader that this device knows by it. */
function OneScan({ scan, onTakeUp }: { scan: ScanNotTaken; onTakeUp: () => void }) {
  const { code, symbology } = scan
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    nameHere({ text: code, symbology }).then(setName, () => undefined)
  }, [code, symbology])
  const told = name === null ? code : `${code}\u202f: ${name}`
  return (
    <div className={styles['scan']}>
      <Menu.Item
        leftSection={takenUp}
        aria-label={`Reprendre ${told}`}
        title={`Reprendre ${told}`}
        onClick={onTakeUp}
      >
        <span className={styles['told']}>{told}</span>
      </Menu.Item>
      <Menu.Item aria-label={`Écarter ${told}`} title="Écarter" onClick={() => takeOneNotTaken(scan)}>
        {putAway}
      </Menu.Item>
    </div>
  )
}
