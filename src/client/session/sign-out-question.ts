import { unsentScans } from '../../offline/inventory-scans.ts'
import { countWaiting } from '../outbox/waiting-data.ts'
import type { Question } from '../ui/dialogs/confirm-question.ts'
import { counted } from '../ui/words.ts'

export type SignOutQuestion = Question & {
  /** Something waits on this device, whoever made it. */
  isNeeded: boolean
}

export async function signOutQuestion(): Promise<SignOutQuestion> {
  const actions = await countWaiting().catch(() => 0)
  const scans = await unsentScans().then(
    ({ length }) => length,
    () => 0,
  )
  return {
    title: 'Se déconnecter\u202f?',
    message: actions + scans === 0 ? 'Vous reviendrez à l’écran de connexion.' : whatWaits(actions, scans),
    acts: 'leaves',
    isNeeded: actions + scans > 0,
  }
}

function whatWaits(actions: number, scans: number): string {
  const someScans = counted(scans, 'scan d’inventaire', 'scans d’inventaire')
  if (actions > 0 && scans > 0) {
    return `${counted(actions, 'action', 'actions')} et ${someScans} attendent sur cet appareil. Tout y est gardé et partira à la prochaine connexion.`
  }
  if (actions > 0) {
    return `${counted(actions, 'action attend', 'actions attendent')} sur cet appareil. ${
      actions > 1 ? 'Elles y sont gardées et partiront' : 'Elle y est gardée et partira'
    } à la prochaine connexion.`
  }
  return `${someScans} ${scans > 1 ? 'attendent' : 'attend'} sur cet appareil. ${
    scans > 1 ? 'Ils y sont gardés et partiront' : 'Il y est gardé et partira'
  } à la prochaine connexion.`
}
