import { accountName } from '../../domain/person-names.ts'
import { useSession } from '../api/session.ts'

/** Tells whose an account is, as far as this device knows: its own person's; of others it keeps the account alone. */
export function usePersonName(): (username: string) => string {
  const me = useSession()?.user
  return (username) => (me?.username === username ? accountName(me) : username)
}
