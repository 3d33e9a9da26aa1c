import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'

import { apiAddress } from '../../contract/api-address.ts'
import type { Reference } from '../../contract/catalogue.ts'
import { lookUpSources } from '../../contract/external-codes.ts'
import { replaceReferenceImage } from '../../contract/reference-images.ts'
import { imageNotSaved } from '../../domain/sentences/lists.ts'
import type { UploadRules } from '../../domain/upload-rules.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { say } from '../page/messages.ts'
import { FileField } from '../ui/forms/file-field.tsx'
import { FormSection } from '../ui/forms/form-page.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import type { ReferenceField } from './reference-fields.ts'
import styles from './reference-view.module.css'
import type { FoundImage } from './use-found-image.ts'
import { inWords } from '../page/house-words.ts'

const rules: UploadRules = {
  kind: 'cover',
  width: { min: 60 },
  height: { min: 60 },
  ratio: { min: 0.2, max: 5 },
}

/** Revoked this long after it was shown. */
const revokeMs = 100

type ReferenceImageSectionProps = {
  form: Pick<Form<ReferenceField>, 'text' | 'write' | 'changed'>
  found: FoundImage | null
  keptSource: Reference['image_source']
}

/** The image as it is kept, or the file that will take its place once the reference is saved. */
export function ReferenceImageSection({ form, found, keptSource }: ReferenceImageSectionProps) {
  const { value: kept, error } = form.text('image', 'Image')
  const file = chosenFile(form)
  const shown = file ? (file === found?.file ? found.source : null) : kept ? keptSource : null
  return (
    <FormSection title="Image">
      <Group align="flex-start" gap="lg">
        {file ? (
          <Preview key={`${file.name} ${file.size} ${file.lastModified}`} file={file} />
        ) : kept ? (
          <img className={styles['preview']} src={apiAddress(kept)} alt="Celle d’aujourd’hui" />
        ) : null}
        <div>
          <FileField
            label={inWords('Image de la référence')}
            rules={rules}
            files={file ? [file] : []}
            onChange={([chosen]) => form.write('file', chosen ?? null)}
            error={error}
          />
          {shown && shown !== 'own' ? <Text c="dimmed">D’après {lookUpSources[shown]}</Text> : null}
          {kept && !file ? (
            <Button mt="sm" variant="default" onClick={() => form.write('image', null)}>
              Retirer l’image
            </Button>
          ) : null}
        </div>
      </Group>
    </FormSection>
  )
}

function Preview({ file }: { file: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address === undefined ? null : (
    <img
      className={styles['preview']}
      src={address}
      alt="Celle qui sera enregistrée"
      onLoad={() => setTimeout(() => URL.revokeObjectURL(address), revokeMs)}
    />
  )
}

export const chosenFile = ({ changed }: Pick<Form<ReferenceField>, 'changed'>): File | null =>
  changed['file'] instanceof File ? changed['file'] : null

/** Sends the chosen file of a saved reference; false, once said, when it could not be kept. */
export function useSendImage(): (reference_id: number, file: File | null) => Promise<boolean> {
  const { mutateAsync } = useChange(replaceReferenceImage)
  return async (id, file) => {
    if (file === null) return true
    try {
      await mutateAsync({ params: { id }, file })
      return true
    } catch (error) {
      const said = error instanceof CallError ? error.message : ''
      say([imageNotSaved, said].filter(Boolean).join(' '), 'bad')
      return false
    }
  }
}
