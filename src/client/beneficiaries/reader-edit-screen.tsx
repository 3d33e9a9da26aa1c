import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'

import { type Beneficiary } from '../../contract/beneficiaries.ts'
import { updateBeneficiary } from '../../contract/beneficiary-changes.ts'
import { fullName } from '../../domain/person-names.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useRight } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { FormPage } from '../ui/form-page.tsx'
import { useLeaveForm } from '../ui/open-detail.ts'
import { Page } from '../ui/page.tsx'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useForm } from '../ui/use-form.ts'
import { useUnsavedGuard } from '../ui/use-unsaved-guard.ts'
import { beneficiaryQuery } from './beneficiary-data.ts'
import { ReaderFields, valuesOf } from './reader-fields.tsx'

const title = 'Modifier le lecteur'

export default function ReaderEditScreen() {
  const id = Number(useParams()['beneficiary_id'])
  const { data: reader, error, refetch } = useQuery(beneficiaryQuery(id))
  if (reader) return <ReaderForm key={reader.id} reader={reader} />
  if (!error) return <ScreenSkeleton />
  return (
    <Page title={title}>
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        lead={{ to: '/beneficiaries', label: 'Voir les lecteurs' }}
      />
    </Page>
  )
}

function ReaderForm({ reader }: { reader: Beneficiary }) {
  const mayContact = useRight('BENEFICIARY_CONTACT')
  const mayAddress = useRight('BENEFICIARY_ADDRESS')
  const leave = useLeaveForm(addressOfReader(reader.id))
  const form = useForm(updateBeneficiary, {
    initial: valuesOf(reader, { agency: null, mayContact, mayAddress }),
    params: { id: reader.id },
    onSaved: (saved) => {
      release()
      say(changesSaved, 'good', { about: fullName(saved) })
      leave()
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  return (
    <FormPage title={title} form={form} onLeave={leave}>
      <ReaderFields form={form} reader={reader} />
    </FormPage>
  )
}
