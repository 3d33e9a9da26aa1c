import { Button } from '@mantine/core'
import { IconBarcodeOff } from '@tabler/icons-react'

import { useSubmitScan } from '../scanner/scan-source.tsx'
import { takeNotTaken, useNotTaken } from '../scanner/scans-not-taken.ts'
import styles from './frame.module.css'

/** Codes that no screen took, until somebody takes them up or puts them away. */
export function NotTakenStrip() {
  const submit = useSubmitScan()
  const scans = useNotTaken()
  const takeUp = () => {
    for (const { code, symbology } of takeNotTaken()) submit(code, symbology)
  }
  return (
    <div role="status">
      {scans.length > 0 ? (
        <div className={styles['seen']}>
          <IconBarcodeOff size="1.3em" aria-hidden />
          <span className={styles['seenWords']}>
            <strong>{scans.length === 1 ? '1 code non pris' : `${scans.length} codes non pris`}</strong>
            &#8239;: {scans.map(({ code }) => code).join(', ')}
          </span>
          <Button size="sm" onClick={takeUp}>
            {scans.length === 1 ? 'Le reprendre' : 'Les reprendre'}
          </Button>
          <Button size="sm" variant="default" onClick={takeNotTaken}>
            Écarter
          </Button>
        </div>
      ) : null}
    </div>
  )
}
