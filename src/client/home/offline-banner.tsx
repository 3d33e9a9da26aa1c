import { IconCloudOff } from '@tabler/icons-react'

import { hostUnknown } from '../../domain/host-unknown.ts'
import { useConnection, useHostUnknown } from '../api/connection.ts'
import { shareOf, usePreparation, useSnapshotState } from '../outbox/counter-work.ts'
import { ageAfterDe } from './data-age.ts'
import styles from './home.module.css'
import { inWords } from '../page/house-words.ts'

/** Tells the age of the device's data, and opened, what still works and what waits. */
export function OfflineBanner() {
  const isOnline = useConnection() === 'online'
  const isHostUnknown = useHostUnknown()
  const known = useSnapshotState()
  const preparation = usePreparation()
  if (isOnline) return null
  return (
    <details className={`foot ${styles['banner']}`}>
      <summary>
        <IconCloudOff size="1.3em" aria-hidden />
        <span role="status">
          <strong>{isHostUnknown ? 'Adresse inconnue du serveur' : 'Hors ligne'}</strong>
          {known === undefined
            ? null
            : known?.complete
              ? `, données d’${ageAfterDe(known.refreshed_at)}`
              : `${preparation?.total ? `, prêt à ${shareOf(preparation)}` : ''}${inWords('\u202f: prêts à vérifier et retours, par les codes')}`}
        </span>
      </summary>
      {isHostUnknown ? (
        <p>{inWords(hostUnknown)}</p>
      ) : (
        <p>
          {known === undefined
            ? null
            : known?.complete
              ? inWords(
                  'Prêter, rendre et chercher un lecteur fonctionnent\u202f: tout partira dès que le réseau reviendra.',
                )
              : inWords(
                  'Cet appareil n’a pas encore les données de la bibliothèque\u202f: scannez une carte puis des exemplaires, et leurs prêts seront vérifiés dès que le réseau reviendra. Les retours s’enregistrent par le code-barres.',
                )}{' '}
          Prolonger, commenter un retard et envoyer un courriel attendent le réseau.
        </p>
      )}
    </details>
  )
}
