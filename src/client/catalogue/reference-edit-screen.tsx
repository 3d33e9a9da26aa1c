import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'

import { getReference, type Reference } from '../../contract/catalogue.ts'
import { changeReference } from '../../contract/references.ts'
import { referenceUpdated } from '../../domain/sentences/catalogue.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { say } from '../page/messages.ts'
import { ChangedSince } from '../ui/forms/changed-since.tsx'
import { FormPage } from '../ui/forms/form-page.tsx'
import { useLeaveForm } from '../ui/lists/open-detail.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { useRestart } from '../ui/forms/use-restart.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { useSaidByOthers } from './coded-fields.tsx'
import { addressOfReference, referenceQuery, toReferences } from './reference-data.ts'
import { useFieldWords } from './reference-field-data.ts'
import { differencesOf, fieldsOf } from './reference-fields.ts'
import { ReferenceForm } from './reference-form.tsx'
import { chosenFile, useSendImage } from './reference-image-section.tsx'

type ReferenceChangedSinceProps = {
  opened: Reference
  version: string
  onTakeOver: (version: string) => void
  onGiveUp: () => void
}

/** What somebody else changed in a reference since its form was opened. */
function ReferenceChangedSince({ opened, ...since }: ReferenceChangedSinceProps) {
  const { labelOf } = useFieldWords()
  return (
    <ChangedSince
      noun="cette référence"
      queryKey={['references', 'one', opened.id]}
      read={(signal) => call(getReference, { params: { id: opened.id }, signal })}
      differencesOf={(now) =>
        differencesOf(opened, now).map(({ field, words }) => ({ label: labelOf(field), words }))
      }
      lead={toReferences}
      {...since}
    />
  )
}

/** Changes a reference; of two people at once, the second sees what the first one changed. */
export default function ReferenceEditScreen() {
  const id = Number(useParams()['reference_id'])
  const { data: reference, error, refetch } = useQuery(referenceQuery(id))
  const [turn, restart] = useRestart(refetch)
  if (reference) return <EditForm key={`${reference.id} ${turn}`} reference={reference} onRestart={restart} />
  return <UnreadScreen title="Modifier la référence" error={error} onRetry={refetch} lead={toReferences} />
}

type EditFormProps = { reference: Reference; onRestart: () => Promise<void> }

function EditForm({ reference, onRestart }: EditFormProps) {
  // A colleague may change the reference while the form is open.
  const [opened] = useState(reference)
  const [version, setVersion] = useState(opened.version)
  const leave = useLeaveForm(addressOfReference(opened.id))
  const navigate = useNavigate()
  const sendImage = useSendImage()
  const form = useForm(changeReference, {
    initial: fieldsOf(opened),
    fixed: { version },
    unsent: { file: null as File | null },
    leaves: useSaidByOthers(),
    params: { id: opened.id },
    onSaved: async (saved) => {
      const isWhole = await sendImage(saved.id, chosenFile(form))
      release()
      if (!isWhole) return void navigate(toReferences.to)
      say(referenceUpdated, 'good', { about: saved.name })
      leave()
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  const isBehind =
    form.error instanceof CallError && (form.error.reason === 'CHANGED_SINCE' || form.error.status === 404)
  return (
    <FormPage title="Modifier la référence" form={form} onLeave={leave}>
      {isBehind ? (
        <ReferenceChangedSince
          opened={opened}
          version={version}
          onTakeOver={setVersion}
          onGiveUp={() => {
            release()
            void onRestart()
          }}
        />
      ) : null}
      <ReferenceForm
        form={form}
        isNewTitle={opened.new_at === null}
        imageSource={opened.image_source}
        mediumId={opened.medium?.id}
      />
    </FormPage>
  )
}
