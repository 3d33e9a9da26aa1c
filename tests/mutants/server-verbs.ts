type VerbMutant = {
  /** What the server would then do wrong. */
  name: string
  file: string
  /** Once in the file. */
  before: string
  after: string
  /** The files of tests that are about it. */
  tests: readonly string[]
}

const lending = [
  'tests/loans/lend-and-return.db.test.ts',
  'tests/loans/loan-ends.db.test.ts',
  'tests/loans/bounds.db.test.ts',
  'tests/loans/loan-terms.db.test.ts',
  'tests/loans/undo-loan.db.test.ts',
  'tests/loans/round-trips.db.test.ts',
]
const reserving = ['tests/reservations/reservations.db.test.ts', 'tests/reservations/at-once.db.test.ts']
const selling = ['tests/sales/sales.db.test.ts']
const sending = ['tests/transfers/transfers.db.test.ts', 'tests/catalogue/write-copies.db.test.ts']
const counting = [
  'tests/inventories/inventories.db.test.ts',
  'tests/inventories/review.db.test.ts',
  'tests/inventories/scans.db.test.ts',
]
const settling = [
  'tests/conflicts/settle-conflicts.db.test.ts',
  'tests/conflicts/answers-add-up.db.test.ts',
  'tests/conflicts/beyond-bounds.db.test.ts',
]

/** One change each, of what a verb of the server checks, counts or writes. */
export const serverVerbs: readonly VerbMutant[] = [
  {
    name: 'a loan forgets the key by which its device returns it',
    file: 'src/server/loans/lend-copy.ts',
    before: '    loan_key: exchange.key,\n',
    after: '    loan_key: null,\n',
    tests: lending,
  },
  {
    name: 'a copy that is lent stays to be had',
    file: 'src/server/loans/lend-copy.ts',
    before: "updateTable('copies').set({ status: 'En Location' })",
    after: "updateTable('copies').set({ status: 'Disponible' })",
    tests: lending,
  },
  {
    name: 'a return closes a loan that was made after it',
    file: 'src/server/loans/return-copy.ts',
    before: 'if (at < before.lent_at && saysWhen) {',
    after: 'if (at < before.lent_at && !saysWhen) {',
    tests: lending,
  },
  {
    name: 'a loan of a closed site comes back by its number',
    file: 'src/server/loans/return-copy.ts',
    before: '|| !isSiteOpen(exchange.visibility, facts.loan.site)) return noSuchLoan',
    after: ') return noSuchLoan',
    tests: [...lending, 'tests/visibility/loans-out-of-sight.db.test.ts', 'tests/http/sites.db.test.ts'],
  },
  {
    name: 'the amount of an extended loan stays that of its first duration',
    file: 'src/server/loans/change-loan.ts',
    before: '      ...(wasByRules ? { amount: loanAmount(price, duration_value, loan.free) } : {}),\n',
    after: '',
    tests: [...lending, 'tests/loans/loan-totals.db.test.ts'],
  },
  {
    name: 'the return of a copy that was weeded since is taken back',
    file: 'src/server/loans/undo-loan.ts',
    before: '    copy.withdrawn_on === null &&\n',
    after: '',
    tests: [...lending, 'tests/bulk-operations/undo.db.test.ts', 'tests/weeding/weeding.db.test.ts'],
  },
  {
    name: 'whoever a copy was set aside for does not wait again when its loan is cancelled',
    file: 'src/server/loans/cancel-loan.ts',
    before: '  await takeServiceBack(trx, loan)\n',
    after: '',
    tests: [...lending, ...reserving],
  },
  {
    name: 'a reservation that a loan has served is deleted',
    file: 'src/server/reservations/reservation-routes.ts',
    before: 'if (before.fulfilled_by !== null) {',
    after: 'if (before.fulfilled_by === 0) {',
    tests: reserving,
  },
  {
    name: 'one person more than there are copies reserves the same days',
    file: 'src/server/reservations/reservation-facts.ts',
    before: 'facts.others, facts.lendable)',
    after: 'facts.others, facts.lendable + 1)',
    tests: reserving,
  },
  {
    name: 'a copy passed on is kept for the next without a last day',
    file: 'src/server/reservations/reservation-routes.ts',
    before: '      pickup_until: pickupUntil(exchange, waited),\n',
    after: '',
    tests: reserving,
  },
  {
    name: 'a free sale is booked at its price',
    file: 'src/server/sales/sell-copy.ts',
    before: "price: free ? '0.00' : (body.amount ?? facts.price),",
    after: 'price: body.amount ?? facts.price,',
    tests: selling,
  },
  {
    name: 'a sale of yesterday is deleted',
    file: 'src/server/sales/sale-routes.ts',
    before: 'if (sale.date !== exchange.today) {',
    after: 'if (sale.date > exchange.today) {',
    tests: selling,
  },
  {
    name: 'a copy is taken back for a site that is closed to the caller',
    file: 'src/server/catalogue/change-copy.ts',
    before: 'copy.sent_from?.id === site && isSiteOpen(exchange.visibility, site)',
    after: 'copy.sent_from?.id === site',
    tests: [...sending, 'tests/http/sites.db.test.ts'],
  },
  {
    name: 'an inventory returns a loan of a site that is closed to the caller',
    file: 'src/server/inventories/apply-step.ts',
    before: 'if (!open || !isSiteOpen(exchange.visibility, open.site)) return noSuchLoan',
    after: 'if (!open) return noSuchLoan',
    tests: counting,
  },
  {
    name: 'an answer given earlier to a conflict needs no right of its own',
    file: 'src/server/conflicts/conflict-routes.ts',
    before: '...[choiceOf(body.choice), ...earlier].flatMap(',
    after: '...[choiceOf(body.choice)].flatMap(',
    tests: settling,
  },
  {
    name: 'a refusal about one copy lets another be lent past the rules',
    file: 'src/server/conflicts/lend-as-chosen.ts',
    before: 'told.facts.copy === lend.copy && ',
    after: '',
    tests: settling,
  },
  {
    name: 'links sent before a password was changed still open a session',
    file: 'src/server/session/change-password.ts',
    before: '  await voidLinks(trx, user_id, now)\n',
    after: '',
    tests: [
      'tests/session/change-password.db.test.ts',
      'tests/session/reset-password.db.test.ts',
      'tests/session/login-link.db.test.ts',
    ],
  },
  {
    name: 'one failure more is free before a person is slowed',
    file: 'src/server/session/sign-in-attempts.ts',
    before: 'const wait = failures < limit.free ? 0',
    after: 'const wait = failures <= limit.free ? 0',
    tests: ['tests/session/throttling.db.test.ts', 'tests/session/sign-in.db.test.ts'],
  },
  {
    name: 'the sessions of somebody who was disabled are open again with the account',
    file: 'src/server/users/user-routes.ts',
    before: '  if (!enabled) await revokeSessions(trx, { user_id: id }, now)\n',
    after: '',
    tests: ['tests/users/users.db.test.ts', 'tests/session/session-ends.db.test.ts'],
  },
  {
    name: 'a reader who waits for a title is proposed for erasing',
    file: 'src/server/erasure/inactive-readers.ts',
    before: 'and not ${hasOpenLoan} and not ${waits}',
    after: 'and not ${hasOpenLoan}',
    tests: ['tests/erasure/erase.db.test.ts', 'tests/erasure/forget.db.test.ts'],
  },
]
