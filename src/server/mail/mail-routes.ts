import { remindBeneficiary as remindBeneficiaryCall } from '../../contract/beneficiaries.ts'
import * as call from '../../contract/mail.ts'
import { type Binding, change, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { listMails } from './mail-queries.ts'
import { remindBeneficiary } from './remind-beneficiary.ts'
import { sendLoanMail } from './send-loan-mail.ts'
import { sendRecap, sendReminders } from './send-mass-mail.ts'

export const mailRoutes: Binding[] = [
  change(call.sendReminders, sendReminders),
  change(call.sendRecap, sendRecap),
  change(call.sendLoanMail, sendLoanMail),
  change(remindBeneficiaryCall, remindBeneficiary),
  read(call.listMails, async (db, { list }, { sight }) => done(await listMails(db, list, sight))),
]
