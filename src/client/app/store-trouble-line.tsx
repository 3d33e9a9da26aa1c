import { Button } from '@mantine/core'

import type { StoreTrouble } from '../../offline/device-store.ts'
import { tellNotice } from './tell-notice.ts'
import styles from './update-prompt.module.css'

const sentences: Record<StoreTrouble, string> = {
  blocked:
    'Une ancienne page de Comptoir empêche celle-ci d’enregistrer\u202f: fermez les autres onglets de Comptoir.',
  outdated:
    'Une version plus récente de Comptoir est ouverte sur cet appareil\u202f: cette page n’enregistre plus rien. Rechargez-la.',
}

/** What to do when the device's store cannot be used, and so keeps nothing done here. */
export function StoreTroubleLine({ trouble }: { trouble: StoreTrouble }) {
  return (
    <div ref={tellNotice} className={styles['line']} data-tone="bad" role="alert">
      <span className={styles['words']}>{sentences[trouble]}</span>
      {trouble === 'outdated' ? <Button onClick={() => location.reload()}>Recharger la page</Button> : null}
    </div>
  )
}
