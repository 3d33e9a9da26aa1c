import { Button, Group, Select } from '@mantine/core'
import { IconEye, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate } from 'react-router-dom'

import { type Profile, removeProfile } from '../../contract/profiles.ts'
import { changesSaved, chooseProfile } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { seeAs } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { asChoice } from '../ui/forms/as-choice.ts'

type ProfileChooserProps = {
  profiles: readonly Profile[]
  profile: Profile | null
  /** Something is ticked and not saved: what would leave it waits. */
  isDirty: boolean
  onChoose: (id: number | null) => void
  onAdd: () => void
  onRename: () => void
  onRemoved: () => void
}

/** Which profile, and what is done with the whole of it. */
export function ProfileChooser(props: ProfileChooserProps) {
  const { profiles, profile, isDirty, onChoose, onAdd, onRename, onRemoved } = props
  const navigate = useNavigate()
  const confirm = useConfirm()
  const remove = useChange(removeProfile)
  const see = async ({ name, rights }: Profile) => {
    await navigate('/home')
    seeAs({ name, rights })
  }
  const askRemove = async ({ id, name }: Profile) => {
    const isSure = await confirm({
      title: `Supprimer le profil «\u00a0${name}\u00a0»\u202f?`,
      message: 'Un profil que quelqu’un a ne peut pas être supprimé.',
      acts: 'destroys',
    })
    if (!isSure) return
    await remove.mutateAsync({ params: { id } }).then(() => {
      say(changesSaved, 'good', { about: name })
      onRemoved()
    }, sayError)
  }
  return (
    <>
      <Select
        label="Profil"
        searchable
        clearable
        nothingFoundMessage="Aucun profil de ce nom"
        data={profiles.map(asChoice)}
        value={profile && String(profile.id)}
        error={profile ? undefined : chooseProfile}
        onChange={(id) => onChoose(id === null ? null : Number(id))}
      />
      <Group gap="xs">
        {profile ? (
          <>
            <Button
              variant="default"
              leftSection={<IconEye size="1.2em" aria-hidden />}
              disabled={isDirty}
              title={isDirty ? 'Enregistrez d’abord.' : undefined}
              onClick={() => void see(profile)}
            >
              Voir comme ce profil
            </Button>
            {profile.is_admin ? null : (
              <>
                <Button
                  variant="default"
                  leftSection={<IconPencil size="1.2em" aria-hidden />}
                  onClick={onRename}
                >
                  Renommer
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconTrash size="1.2em" aria-hidden />}
                  onClick={() => void askRemove(profile)}
                >
                  Supprimer
                </Button>
              </>
            )}
          </>
        ) : null}
        <Button
          variant="default"
          leftSection={<IconPlus size="1.2em" aria-hidden />}
          disabled={isDirty}
          title={isDirty ? 'Enregistrez d’abord.' : undefined}
          onClick={onAdd}
        >
          Ajouter un profil
        </Button>
      </Group>
    </>
  )
}
