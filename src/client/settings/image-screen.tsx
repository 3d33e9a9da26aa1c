import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'

import { apiAddress } from '../../contract/api-address.ts'
import { removeEnvironmentImage, replaceEnvironmentImage } from '../../contract/environment-image.ts'
import { changesSaved, imageNotSaved } from '../../domain/sentences/lists.ts'
import type { UploadRules } from '../../domain/upload-rules.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { FileField } from '../ui/forms/file-field.tsx'
import { say, sayError } from '../page/messages.ts'
import { Page } from '../ui/page.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import styles from './image-screen.module.css'

const rules: UploadRules = {
  kind: 'picture',
  width: { min: 32 },
  height: { min: 32 },
  ratio: { min: 0.2, max: 5 },
}
const saved = changesSaved

/** Shown above the sign-in. */
export default function ImageScreen() {
  const environment_id = useSession()?.environment_id
  const [files, setFiles] = useState<readonly File[]>([])
  // A new address, because the browser keeps the image for some minutes.
  const [version, setVersion] = useState(() => Date.now())
  const replace = useChange(replaceEnvironmentImage)
  const remove = useChange(removeEnvironmentImage)
  const confirm = useConfirm()
  useUnsavedGuard(files.length > 0)

  const done = () => {
    setFiles([])
    setVersion(Date.now())
    say(saved)
  }
  const [file] = files
  const { error } = replace
  return (
    <Page title="Image de l’organisation">
      <div className="panel">
        <Stack className={styles['form'] ?? ''}>
          <Text>Elle accueille les personnes sur l’écran de connexion.</Text>
          <Group>
            {environment_id === undefined ? null : (
              <img
                className={styles['image']}
                src={`${apiAddress(`/api/image/env/${environment_id}`)}?v=${version}`}
                alt="Celle d’aujourd’hui"
                width="132"
                height="132"
              />
            )}
            <Button
              variant="default"
              loading={remove.isPending}
              onClick={() =>
                void confirm({
                  title: 'Retirer l’image',
                  message: 'L’image du logiciel prendra sa place. Continuer\u202f?',
                  acts: 'destroys',
                }).then((yes) => {
                  if (yes) remove.mutate({}, { onSuccess: done, onError: (error) => sayError(error) })
                })
              }
            >
              Retirer l’image
            </Button>
          </Group>
          <FileField
            label="Nouvelle image"
            rules={rules}
            files={files}
            onChange={(chosen) => {
              replace.reset()
              setFiles(chosen)
            }}
            error={error === null ? null : error instanceof CallError ? error.message : imageNotSaved}
          />
          <Group justify="flex-end">
            <Button
              disabled={!file}
              loading={replace.isPending}
              onClick={() => file && replace.mutate({ file }, { onSuccess: done })}
            >
              Enregistrer
            </Button>
          </Group>
        </Stack>
      </div>
    </Page>
  )
}
