import { accountName } from '../../domain/person-names.ts'
import { useSession } from '../api/session.ts'

/** The name of this device's own person; of others only the account. */
export function usePersonName(): (username: string) => string {
  const me = useSession()?.user
  return (username) => (me?.username === username ? accountName(me) : username)
}
