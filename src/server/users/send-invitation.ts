import { accountName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Refused } from '../http/outcome.ts'
import { queueMail } from '../writing/queue-mail.ts'
import { templateBroken, templateOff } from '../mail/template-refusals.ts'
import { issueInvitation } from '../session/password-links.ts'
import type { UserRow } from './user-queries.ts'

const template = 'account_invitation'

type Invited = Pick<UserRow, 'id' | 'username' | 'firstname' | 'lastname'> & { email: string }

export const invitationLink = (publicUrl: string, token: string): string =>
  `${publicUrl}/login?token=${token}`

/** Mails a login link, the only one from then on; answers why it cannot leave, or null. */
export async function sendInvitation(trx: Trx, user: Invited, exchange: Exchange): Promise<Refused | null> {
  const { now, publicUrl } = exchange
  const token = await issueInvitation(trx, user.id, now)
  const queued = await queueMail(trx, exchange, {
    template,
    to_address: user.email,
    variables: {
      user: { username: user.username, name: accountName(user) },
      link: invitationLink(publicUrl, token),
      reset: `${publicUrl}/reset/password`,
    },
  })
  if (queued.state === 'off') return templateOff(template)
  if (queued.state === 'broken') return templateBroken(template, queued.problem)
  return null
}
