import { useQuery } from '@tanstack/react-query'

import { updateParameters } from '../../contract/settings.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { enabledSitesQuery } from './enabled-sites.ts'
import { useFlagParameter } from './parameter-data.ts'

/** Offers to switch « Plusieurs sites » on where a second site would be refused once its form is filled in. */
export function useMayHaveAnotherSite(): () => Promise<boolean> {
  const isMultisite = useFlagParameter('multisite')
  const enabled = useQuery(enabledSitesQuery).data
  const maySwitch = useRight('PARAMETER_GENERAL')
  const confirm = useConfirm()
  const { mutateAsync } = useChange(updateParameters)
  return async () => {
    if (isMultisite !== false || enabled?.length === 0) return true
    if (!maySwitch) {
      say(
        'Un autre site est en service\u202f: qui change les paramètres généraux active d’abord «\u00a0Plusieurs sites\u00a0».',
        'warn',
      )
      return false
    }
    const isSure = await confirm({
      title: 'Activer «\u00a0Plusieurs sites\u00a0»\u202f?',
      message:
        'Un site est déjà en service. Avec un second, chacun choisit celui où il travaille, et voit les prêts et les listes de ce site.',
    })
    if (!isSure) return false
    return mutateAsync({ body: [{ code: 'multisite', value: '1' }] }).then(
      () => true,
      (error: unknown) => {
        sayError(error)
        return false
      },
    )
  }
}
