import { accountChanges } from '../../src/server/writing/account-changed.ts'
import type { TestServer } from '../support/test-server.ts'

/** To whom it was written that their account was changed, and what of it. */
export async function accountMails({ db }: TestServer): Promise<[to: string, change: string | undefined][]> {
  const mails = await db
    .selectFrom('mail_outbox')
    .select(['to_address', 'html'])
    .where('template', '=', 'account_changed')
    .orderBy('id')
    .execute()
  return mails.map(({ to_address, html }) => [
    to_address,
    Object.values(accountChanges).find((change) => html.includes(change)),
  ])
}
