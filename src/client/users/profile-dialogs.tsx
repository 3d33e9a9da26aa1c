import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'

import { addProfile, type Profile, updateProfile } from '../../contract/profiles.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { keptBeside } from '../ui/kept-beside.ts'
import { useForm } from '../ui/use-form.ts'

const longestName = 60

type AddProfileDialogProps = {
  profiles: readonly Profile[]
  /** Whose rights the new one begins with, unless another is chosen. */
  like: Profile | null
  onAdded: (id: number) => void
  onClose: () => void
}

export function AddProfileDialog({ profiles, like, onAdded, onClose }: AddProfileDialogProps) {
  const first = like && !like.is_admin ? String(like.id) : null
  const [model, setModel] = useState(first)
  const rights = profiles.find(({ id }) => String(id) === model)?.rights ?? []
  const form = useForm(addProfile, {
    initial: { name: '' },
    about: 'new',
    fixed: { rights },
    onSaved: ({ id, name }) => {
      say(changesSaved, 'good', { about: name })
      onAdded(id)
      onClose()
    },
  })
  const kept = keptBeside(form, { isDirty: model !== first, kept: model, restore: setModel })
  return (
    <FormDialog title="Ajouter un profil" form={kept} onClose={onClose}>
      <TextInput required maxLength={longestName} {...form.text('name', 'Nom')} />
      <Select
        label="Avec les droits de"
        clearable
        placeholder="Aucun droit pour commencer"
        data={profiles.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={model}
        onChange={setModel}
      />
    </FormDialog>
  )
}

export function RenameProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const form = useForm(updateProfile, {
    initial: { name: profile.name },
    params: { id: profile.id },
    onSaved: ({ name }) => {
      say(changesSaved, 'good', { about: name })
      onClose()
    },
  })
  return (
    <FormDialog title={`Renommer le profil «\u00a0${profile.name}\u00a0»`} form={form} onClose={onClose}>
      <TextInput required maxLength={longestName} {...form.text('name', 'Nom')} />
    </FormDialog>
  )
}
