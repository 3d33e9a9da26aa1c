import { Alert, Button, Group } from '@mantine/core'
import { IconCloudCheck, IconCloudOff, IconCloudUpload } from '@tabler/icons-react'

import { countName } from '../../offline/inventory-rows.ts'
import { sendRefusedAgain } from '../../offline/inventory-scans.ts'
import { useConnection } from '../api/connection.ts'
import { saveFile } from '../ui/save-file.ts'
import { counted } from '../ui/words.ts'
import styles from './count.module.css'
import type { CountView } from './count.ts'
import { fileOfScans } from './file-of-scans.ts'

/** What of this device has not reached the server, and what the server will not have. */
export function SendState({ view }: { view: CountView }) {
  const { loaded, scans } = view
  const isOnline = useConnection() === 'online'
  const waiting = scans.filter(({ state }) => state === 'queued').length
  const refused = scans.filter(({ state }) => state === 'refused')
  const toSend = counted(waiting, 'scan à envoyer', 'scans à envoyer')
  const Icon = !isOnline ? IconCloudOff : waiting > 0 ? IconCloudUpload : IconCloudCheck
  return (
    <>
      <p className={styles['state']} style={{ margin: 0 }}>
        <Icon size="1.25em" aria-hidden />
        <span>
          {!isOnline
            ? `Hors ligne${waiting > 0 ? `, ${toSend}` : '\u202f: vos scans seront gardés sur cet appareil'}`
            : waiting > 0
              ? toSend
              : 'Tout est envoyé'}
        </span>
      </p>
      {refused.length > 0 ? (
        <Alert
          color="red"
          title={counted(
            refused.length,
            'scan refusé, gardé sur cet appareil',
            'scans refusés, gardés sur cet appareil',
          )}
        >
          {refused[0]?.problem?.message}
          <Group gap="sm" mt="sm">
            <Button
              variant="default"
              disabled={!isOnline}
              onClick={() => void sendRefusedAgain(countName(loaded.environment_id, loaded.id))}
            >
              Réessayer
            </Button>
            <Button variant="default" onClick={() => saveFile(fileOfScans(view, refused))}>
              Télécharger
            </Button>
          </Group>
        </Alert>
      ) : null}
    </>
  )
}
