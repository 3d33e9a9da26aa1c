import { Checkbox, Text, TextInput } from '@mantine/core'

import {
  addView,
  changeView,
  longestViewName,
  type View,
  type ViewContent,
  type ViewedList,
  viewedLists,
} from '../../../contract/views.ts'
import { changesSaved } from '../../../domain/sentences/lists.ts'
import { useRight } from '../../api/session.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { say } from '../../page/messages.ts'
import { useForm } from '../forms/use-form.ts'

type AddViewProps = {
  list: ViewedList
  content: ViewContent
  onAdded: (view: View) => void
  onClose: () => void
}

/** Keeps a list as it is shown under a name. Rendered while open. */
export function AddView({ list, content, onAdded, onClose }: AddViewProps) {
  const mayShare = useRight(viewedLists[list].sharedBy)
  const form = useForm(addView, {
    initial: { name: '', shared: false },
    fixed: { list, content },
    onSaved: (view) => {
      say(changesSaved, 'good', { about: view.name })
      onAdded(view)
    },
  })
  return (
    <FormDialog title="Ajouter une vue" form={form} submitLabel="Enregistrer" onClose={onClose}>
      <Text c="dimmed">Elle garde les filtres, l’ordre et les colonnes que vous voyez.</Text>
      <TextInput required maxLength={longestViewName} {...form.text('name', 'Nom')} />
      {mayShare ? <Checkbox {...form.flag('shared', 'Partager avec l’équipe')} /> : null}
    </FormDialog>
  )
}

export function RenameView({ view, onClose }: { view: View; onClose: () => void }) {
  const form = useForm(changeView, {
    initial: { name: view.name },
    params: { id: view.id },
    onSaved: ({ name }) => {
      say(changesSaved, 'good', { about: name })
      onClose()
    },
  })
  return (
    <FormDialog title="Renommer la vue" form={form} onClose={onClose}>
      <TextInput required maxLength={longestViewName} {...form.text('name', 'Nom')} />
    </FormDialog>
  )
}
