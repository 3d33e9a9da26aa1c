import { useNavigate } from 'react-router-dom'

import { addBeneficiary } from '../../contract/beneficiary-changes.ts'
import { readerName } from '../../domain/person-names.ts'
import { useRight, useSession } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { FormPage } from '../ui/forms/form-page.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { ReaderFields, valuesOf } from './reader-fields.tsx'

/** Inscribes a reader, and leads to their page, where lending begins. */
export default function ReaderAddScreen() {
  const navigate = useNavigate()
  const session = useSession()
  const mayContact = useRight('BENEFICIARY_CONTACT')
  const mayAddress = useRight('BENEFICIARY_ADDRESS')
  // Zero is every site.
  const agency = session?.site?.id || (session?.user?.sites.length === 1 ? session.user.sites[0]?.id : null)
  const form = useForm(addBeneficiary, {
    initial: valuesOf(null, { agency: agency ?? null, mayContact, mayAddress }),
    onSaved: (reader) => {
      release()
      say('Lecteur inscrit.', 'good', { about: readerName(reader) })
      void navigate(addressOfReader(reader.id), { replace: true })
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  return (
    <FormPage title="Inscrire un lecteur" form={form} onLeave={() => void navigate('/beneficiaries')}>
      <ReaderFields form={form} reader={null} />
    </FormPage>
  )
}
