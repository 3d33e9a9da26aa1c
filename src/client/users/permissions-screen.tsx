import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { Page } from '../ui/page.tsx'
import { ErrorState } from '../ui/states.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { ProfileRights } from './profile-rights.tsx'
import { profilesQuery } from './user-data.ts'

/** What each profile lets its people do; « Admin » first. */
export default function PermissionsScreen() {
  const { data: profiles, error, refetch } = useQuery(profilesQuery)
  // Undefined until somebody chooses.
  const [chosen, setChosen] = useState<number | null | undefined>(undefined)
  // Another turn begins the form anew, on the rights as they are now.
  const [turn, setTurn] = useState(0)
  if (!profiles) {
    return (
      <Page title="Profils et droits">
        {error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingText />}
      </Page>
    )
  }
  const profile =
    profiles.find(({ id, is_admin }) => (chosen === undefined ? is_admin : id === chosen)) ?? null
  return (
    <ProfileRights
      key={`${profile?.id ?? 'none'} ${turn}`}
      profiles={profiles}
      profile={profile}
      onChoose={setChosen}
      onRenew={() => setTurn(turn + 1)}
    />
  )
}
