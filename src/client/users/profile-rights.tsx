import { asChoice } from '../ui/forms/as-choice.ts'
import { Select, Switch, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Switch.css'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { addProfile, type Profile, updateProfile } from '../../contract/profiles.ts'
import { type Right, rightCodes } from '../../domain/rights.ts'
import { changesSaved, chooseProfile } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { FormPage, FormSection } from '../ui/forms/form-page.tsx'
import { keptBeside } from '../ui/forms/kept-beside.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { counted } from '../ui/words.ts'
import { OwnRights } from './own-rights.tsx'
import { profileBelow } from './profile-below.ts'
import { ProfileChooser } from './profile-chooser.tsx'
import {
  changeWords,
  DifferenceNames,
  differenceOf,
  differenceWords,
  RightNames,
  withDifference,
} from './rights-difference.tsx'
import { RightsTicks } from './rights-ticks.tsx'

const longestName = 60

type AddProfileDialogProps = {
  profiles: readonly Profile[]
  /** Whose rights the new one begins with, unless another is chosen. */
  like: Profile | null
  onAdded: (id: number) => void
  onClose: () => void
}

function AddProfileDialog({ profiles, like, onAdded, onClose }: AddProfileDialogProps) {
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
        data={profiles.map(asChoice)}
        value={model}
        onChange={setModel}
      />
    </FormDialog>
  )
}

function RenameProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
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

const Journal = lazy(() => import('../ui/lists/journal-part.tsx').then((ui) => ({ default: ui.JournalPart })))

type ProfileRightsProps = {
  profiles: readonly Profile[]
  profile: Profile | null
  onChoose: (id: number | null) => void
  /** Called once the form must begin again on what the server holds. */
  onRenew: () => void
}

/** The rights of one profile, whose difference is shown in place, in the bar and before it is saved. */
export function ProfileRights({ profiles, profile, onChoose, onRenew }: ProfileRightsProps) {
  const navigate = useNavigate()
  const confirm = useConfirm()
  const update = useChange(updateProfile)
  const [loaded] = useState(profile?.rights ?? [])
  const [wasAsked] = useState(profile?.second_factor ?? false)
  const [open, setOpen] = useState<'add' | 'rename' | null>(null)
  const close = () => setOpen(null)
  const role = useSession()?.user?.role
  const form = useLocalForm<{ rights: string[]; second_factor: boolean }, Profile | null>({
    about: `rights of profile ${profile?.id ?? ''}`,
    initial: { rights: loaded, second_factor: wasAsked },
    check: () => (profile ? {} : { profile: chooseProfile }),
    act: async ({ rights, second_factor }) => {
      const difference = differenceOf(loaded, known(rights))
      const asked = second_factor === wasAsked ? null : second_factor
      const words = changeWords(difference, asked)
      if (!profile || words === '') return null
      const isSure = await confirm({
        title: `Changer ${differenceWords(difference) === '' ? 'le' : 'les droits du'} profil «\u00a0${profile.name}\u00a0»`,
        message: (
          <>
            {words}. {counted(profile.user_count, 'personne a', 'personnes ont', 'Personne n’a')} ce profil.
            {role === profile.name ? ' C’est le vôtre.' : ''}
            {asked ? ' Qui n’a pas de deuxième facteur le choisira à sa prochaine connexion.' : ''}
            <DifferenceNames {...difference} />
          </>
        ),
      })
      if (!isSure) return null
      const body = {
        rights: withDifference(profile.rights, difference),
        ...(asked === null ? {} : { second_factor: asked }),
      }
      return update.mutateAsync({ params: { id: profile.id }, body })
    },
    onDone: (saved) => {
      if (!saved) return
      say(changesSaved, 'good', { about: saved.name })
      onRenew()
    },
  })
  const { value, onChange } = form.several('rights', 'Droits')
  const difference = differenceOf(loaded, known(value))
  const factor = form.flag('second_factor', 'Deuxième facteur obligatoire')
  const asked = factor.checked === wasAsked ? null : factor.checked
  const changes = difference.added.length + difference.removed.length + (asked === null ? 0 : 1)
  const isDirty = changes > 0
  useUnsavedGuard(isDirty)
  // What a colleague saved is shown at once, unless something is ticked here.
  const isOld =
    profile !== null &&
    (differenceWords(differenceOf(loaded, profile.rights)) !== '' || profile.second_factor !== wasAsked)
  useEffect(() => {
    if (isOld && !isDirty) onRenew()
    // oxlint-disable-next-line react/exhaustive-deps -- the function is another at each render
  }, [isOld, isDirty])
  const choose = async (id: number | null) => {
    const isMeant =
      !isDirty ||
      (await confirm({
        title: 'Changer de profil sans enregistrer',
        message: `${changeWords(difference, asked)}\u202f: ce qui a été coché sera perdu. Continuer\u202f?`,
        acts: 'destroys',
      }))
    if (isMeant) onChoose(id)
  }
  return (
    <>
      <FormPage
        title="Profils et droits"
        form={{ ...form, isDirty, changes }}
        said={isDirty ? changeWords(difference, asked) : undefined}
        onLeave={() => void navigate('/settings')}
      >
        <FormSection
          title="Profil"
          about="Chaque personne a un profil, qui dit ce qu’elle peut faire. Un changement vaut aussitôt pour toutes celles qui l’ont."
        >
          <ProfileChooser
            profiles={profiles}
            profile={profile}
            isDirty={isDirty}
            onChoose={(id) => void choose(id)}
            onAdd={() => setOpen('add')}
            onRename={() => setOpen('rename')}
            onRemoved={() => onChoose(null)}
          />
          {profile ? <SetApart profile={profile} profiles={profiles} /> : null}
        </FormSection>
        {profile ? (
          <>
            <FormSection title="Connexion">
              <Switch
                size="lg"
                description="À la connexion, un code du téléphone s’ajoute au mot de passe. Qui n’en a pas encore le choisit d’abord."
                {...factor}
              />
            </FormSection>
            <RightsTicks profile={profile} loaded={loaded} ticked={value} onChange={onChange} />
            <OwnRights profile={profile} />
            <FormSection title="Journal">
              <Suspense fallback={null}>
                <Journal entity="profiles" id={profile.id} />
              </Suspense>
            </FormSection>
          </>
        ) : null}
      </FormPage>
      {/* Beside the form, because what is pressed or sent in them is no part of it. */}
      {open === 'add' ? (
        <AddProfileDialog like={profile} profiles={profiles} onAdded={onChoose} onClose={close} />
      ) : null}
      {open === 'rename' && profile ? <RenameProfileDialog profile={profile} onClose={close} /> : null}
    </>
  )
}

/** What its people may beside those of the profile below, and what they may not. */
function SetApart({ profile, profiles }: { profile: Profile; profiles: readonly Profile[] }) {
  const below = profileBelow(profile, profiles)
  if (below === null) return null
  const { added, removed } = differenceOf(below.rights, profile.rights)
  const isSame = added.length + removed.length === 0
  return (
    <div role="group" aria-label={`À côté du profil «\u00a0${below.name}\u00a0»`}>
      <Text fw={600}>
        {isSame
          ? `Mêmes droits que le profil «\u00a0${below.name}\u00a0».`
          : `À côté du profil «\u00a0${below.name}\u00a0»`}
      </Text>
      <RightNames title="Peut aussi" of={known(added)} />
      <RightNames title="Ne peut pas" of={known(removed)} />
    </div>
  )
}

/** In the order of their sentences. */
const known = (codes: readonly string[]): Right[] => rightCodes.filter((code) => codes.includes(code))
