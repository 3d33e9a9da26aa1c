import { IconCloudDownload, IconCloudOff } from '@tabler/icons-react'

import { useConnection } from '../api/connection.ts'
import { useSnapshotState } from '../waiting/counter-work.ts'
import { ageAfterDe } from './data-age.ts'
import styles from './home.module.css'

/** Off line: what goes on working, and how old what the device knows is. On line it speaks only of a first load under way. */
export function OfflineBanner() {
  const isOnline = useConnection() === 'online'
  const known = useSnapshotState()
  if (isOnline) {
    if (!known?.loading || known.complete) return null
    const { rows, total } = known.loading
    return (
      <div className={styles['banner']}>
        <IconCloudDownload size="1.3em" aria-hidden />
        <p role="status">
          Préparation du travail hors ligne&#8239;:{' '}
          {total > 0 ? `${Math.min(100, Math.round((100 * rows) / total))}\u00a0%` : 'début'}
        </p>
      </div>
    )
  }
  return (
    <div className={styles['banner']} role="status">
      <IconCloudOff size="1.3em" aria-hidden />
      <div>
        <p>
          <strong>Hors ligne.</strong>{' '}
          {known?.complete
            ? `Prêter, rendre et chercher un lecteur fonctionnent (données d’${ageAfterDe(known.refreshed_at)})\u202f: tout partira dès que le réseau reviendra.`
            : 'Cet appareil n’a pas encore les données de la bibliothèque\u202f: seuls les retours peuvent être enregistrés, par le code-barres.'}
        </p>
        <p>Prolonger, commenter un retard et envoyer un courriel attendent le réseau.</p>
      </div>
    </div>
  )
}
