import { type Reference, getReference } from '../../contract/catalogue.ts'
import { call } from '../api/call.ts'
import { ChangedSince } from '../ui/changed-since.tsx'
import { toReferences } from './reference-data.ts'
import { useFieldWords } from './reference-field-data.ts'
import { differencesOf } from './reference-fields.ts'

type ReferenceChangedSinceProps = {
  opened: Reference
  version: string
  onTakeOver: (version: string) => void
  onGiveUp: () => void
}

/** What somebody else changed in a reference since its form was opened. */
export function ReferenceChangedSince({ opened, ...since }: ReferenceChangedSinceProps) {
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
