import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'

import { seeAs, useSession } from '../api/session.ts'
import styles from './frame.module.css'

/** Over every screen while menus and buttons are those of a profile. */
export default function SeenAsBand() {
  const seen = useSession()?.seen_as
  if (!seen) return null
  return (
    <div className={styles['seen']} role="status">
      <IconEye size="1.3em" aria-hidden />
      <span className={styles['seenWords']}>
        <strong>Vu comme «&nbsp;{seen.name}&nbsp;».</strong> Seuls les menus et les boutons changent&#8239;:
        vos droits restent les vôtres.
      </span>
      <Button size="sm" variant="default" onClick={() => seeAs(null)}>
        Revenir à mon profil
      </Button>
    </div>
  )
}
