import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router-dom'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import { updateBeneficiary } from '../../contract/beneficiary-changes.ts'
import { fullName } from '../../domain/person-names.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useRight } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { FormPage } from '../ui/forms/form-page.tsx'
import { useLeaveForm } from '../ui/lists/open-detail.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { useRestart } from '../ui/forms/use-restart.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { beneficiaryQuery } from './beneficiary-data.ts'
import { ReaderChangedSince, toReaders } from './reader-changed-since.tsx'
import { ReaderFields, valuesOf } from './reader-fields.tsx'

const title = 'Modifier le lecteur'

/** Changes a reader; of two people at once, the second sees what the first one changed. */
export default function ReaderEditScreen() {
  const id = Number(useParams()['beneficiary_id'])
  const { data: reader, error, refetch } = useQuery(beneficiaryQuery(id))
  const [turn, restart] = useRestart(refetch)
  if (reader) return <ReaderForm key={`${reader.id} ${turn}`} reader={reader} onRestart={restart} />
  return <UnreadScreen title={title} error={error} onRetry={refetch} lead={toReaders} />
}

type ReaderFormProps = { reader: Beneficiary; onRestart: () => Promise<void> }

function ReaderForm({ reader, onRestart }: ReaderFormProps) {
  // A colleague may change the reader while the form is open.
  const [opened] = useState(reader)
  const [version, setVersion] = useState(opened.version)
  const mayContact = useRight('BENEFICIARY_CONTACT')
  const mayAddress = useRight('BENEFICIARY_ADDRESS')
  const leave = useLeaveForm(addressOfReader(opened.id))
  const form = useForm(updateBeneficiary, {
    initial: valuesOf(opened, { agency: null, mayContact, mayAddress }),
    fixed: { version },
    params: { id: opened.id },
    onSaved: (saved) => {
      release()
      say(changesSaved, 'good', { about: fullName(saved) })
      leave()
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  return (
    <FormPage title={title} form={form} onLeave={leave}>
      <ReaderChangedSince
        error={form.error}
        opened={opened}
        version={version}
        onTakeOver={setVersion}
        onGiveUp={() => {
          release()
          void onRestart()
        }}
      />
      <ReaderFields form={form} reader={opened} />
    </FormPage>
  )
}
