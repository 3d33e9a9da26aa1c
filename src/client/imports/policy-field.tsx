import { NativeSelect } from '@mantine/core'

import { policies, type Policy } from '../../contract/imports.ts'
import { useRight } from '../api/session.ts'
import { policyWords } from './import-words.ts'

type PolicyFieldProps = {
  /** As the wire calls it: a copy's begin with `copy.`. */
  field: string
  /** A file of references, of which each kind of change asks for its right. */
  isOfWorks: boolean
  label: string
  value: Policy
  disabled?: boolean
  onChange: (policy: Policy) => void
}

/** What becomes of a value that is there already. */
export function PolicyField(props: PolicyFieldProps) {
  const { field, isOfWorks, label, value, disabled = false, onChange } = props
  const [mayWorks, mayCopies] = [useRight('REFERENCE_EDIT'), useRight('COPY_MODIFY')]
  const isLeft = isOfWorks && !(field.startsWith('copy.') ? mayCopies : mayWorks)
  return (
    <NativeSelect
      aria-label={`Valeur déjà là\u202f: ${label}`}
      disabled={disabled || isLeft}
      {...(isLeft ? { title: 'Votre profil ne change pas ce qui est déjà au catalogue.' } : {})}
      data={policies.map((policy) => ({ value: policy, label: policyWords[policy] }))}
      value={isLeft ? 'keep' : value}
      onChange={({ currentTarget }) => {
        const next = policies.find((one) => one === currentTarget.value)
        if (next) onChange(next)
      }}
    />
  )
}
