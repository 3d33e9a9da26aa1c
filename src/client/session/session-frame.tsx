import { Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'

import { apiAddress } from '../../contract/api-address.ts'
import { useEnvironment } from './environment-data.ts'
import styles from './session-frame.module.css'

export function SessionFrame({ title, children }: { title: string; children: ReactNode }) {
  const { data: environment } = useEnvironment()
  // A fresh installation bears the product's own name, which is said once.
  const organisation = environment?.name === 'Comptoir' ? undefined : environment?.name
  useEffect(() => {
    document.title = `${title} · Comptoir`
  }, [title])
  return (
    <div className={styles['frame']}>
      <header className={styles['brand']}>
        <EnvironmentImage key={`image ${environment?.id}`} environment_id={environment?.id} />
        <div key={`names ${environment?.id}`} className={styles['names']}>
          <div className={styles['organisation']}>{organisation ?? 'Comptoir'}</div>
          <div className={styles['product']}>
            {organisation ? 'Comptoir' : null}
            <span className={styles['promise']}>
              {organisation ? ' · ' : ''}prêter et rendre d’un geste, en ligne et hors ligne
            </span>
          </div>
        </div>
      </header>
      <main className={styles['form']}>
        <Stack gap="lg">
          <Title order={1} size="h2">
            {title}
          </Title>
          {children}
        </Stack>
      </main>
    </div>
  )
}

/** The product's own image while it is unknown or missing. */
function EnvironmentImage({ environment_id }: { environment_id: number | undefined }) {
  const [isMissing, setMissing] = useState(false)
  const address =
    environment_id === undefined || isMissing
      ? '/icons/icon.svg'
      : apiAddress(`/api/image/env/${environment_id}`)
  return (
    <img
      className={styles['image']}
      src={address}
      alt=""
      width="88"
      height="88"
      onError={() => setMissing(true)}
    />
  )
}
