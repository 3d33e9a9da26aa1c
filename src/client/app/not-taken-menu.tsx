import { Menu, UnstyledButton } from '@mantine/core'
import { IconBarcodeOff, IconRotateClockwise, IconX } from '@tabler/icons-react'

import { useSubmitScan } from '../scanner/scan-source.tsx'
import { takeNotTaken, useNotTaken } from '../scanner/scans-not-taken.ts'
import { counted } from '../ui/words.ts'
import styles from './top-bar.module.css'

/** Codes that no screen took, until somebody takes them up or puts them away; in the bar, where they move nothing. */
export default function NotTakenMenu() {
  const submit = useSubmitScan()
  const scans = useNotTaken()
  const takeUp = () => {
    for (const { code, symbology } of takeNotTaken()) submit(code, symbology)
  }
  const words = counted(scans.length, 'code non pris', 'codes non pris')
  return (
    <Menu position="bottom-end" width="16rem">
      <Menu.Target>
        <UnstyledButton className={styles['waiting'] ?? ''} aria-label={words} title={words}>
          <span className="tag" data-tone="warn" aria-hidden>
            <IconBarcodeOff size="1.1em" />
            <span className={styles['word']}>{words}</span>
            <span className={styles['few']}>{scans.length}</span>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={styles['codes'] ?? ''}>{scans.map(({ code }) => code).join(', ')}</Menu.Label>
        <Menu.Item leftSection={<IconRotateClockwise size="1.2em" aria-hidden />} onClick={takeUp}>
          {scans.length === 1 ? 'Le reprendre' : 'Les reprendre'}
        </Menu.Item>
        <Menu.Item leftSection={<IconX size="1.2em" aria-hidden />} onClick={takeNotTaken}>
          Écarter
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
