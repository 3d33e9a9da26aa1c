import { useState } from 'react'

import { referenceDataNames, tagNames } from '../../contract/catalogue.ts'
import type { FoundReference, LookUpSource } from '../../contract/external-codes.ts'
import type { Form } from '../ui/use-fields.ts'
import type { ReferenceField } from './reference-fields.ts'

type Filled = { value: string; source: LookUpSource | undefined }

/** What the notice of a code filled in, field by field; it leaves when another code is asked about. */
export function useNotice(form: Pick<Form<ReferenceField>, 'changed' | 'write'>) {
  const [filled, setFilled] = useState<ReadonlyMap<ReferenceField, Filled>>(new Map())
  const stands = (field: ReferenceField) => form.changed[field] === filled.get(field)?.value
  const isFree = (field: ReferenceField) => !(field in form.changed) || stands(field)
  const take = (found: FoundReference | null) => {
    const next = new Map<ReferenceField, Filled>()
    for (const [field, value] of found ? fieldsOfNotice(found) : []) {
      // What somebody wrote is never overwritten.
      if (value === '' || !isFree(field)) continue
      next.set(field, { value, source: found?.sources[field] })
    }
    for (const field of filled.keys()) if (!next.has(field) && stands(field)) form.write(field, '')
    for (const [field, { value }] of next) form.write(field, value)
    setFilled(next)
  }
  const sources = Object.fromEntries(
    [...filled].flatMap(([field, { source }]) => (source && stands(field) ? [[field, source]] : [])),
  )
  return { take, sources }
}

const fieldsOfNotice = (found: FoundReference): [ReferenceField, string][] => [
  ['name', found.name],
  ['description', found.description],
  ...tagNames.map((name): [ReferenceField, string] => [`tags.${name}`, found.tags[name] ?? '']),
  ...referenceDataNames.map((name): [ReferenceField, string] => [
    `reference_data.${name}`,
    found.reference_data[name] ?? '',
  ]),
]
