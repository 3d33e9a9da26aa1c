import { List, Stack, Text } from '@mantine/core'

import { remindBeneficiary } from '../../contract/beneficiaries.ts'
import type { Loan } from '../../contract/loans.ts'
import { type Progress, useEachChange } from '../api/queries.ts'
import { oneMail, reminders, sayMailed } from '../mail/say-mailed.ts'
import type { UnderWay } from '../ui/lists/bulk-bar.tsx'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { say } from '../page/messages.ts'
import { counted } from '../ui/words.ts'
import { useDeleteLoans } from './loan-data.ts'
import { sentenceOf } from './loan-errors.ts'
import { mailFailure } from './mail-failure.ts'
import { useToday } from './use-today.ts'

/** What is done to several loans with one question: their readers are written to, or they are deleted. */
export function useLoansAtOnce() {
  const confirm = useConfirm()
  const today = useToday()
  const reminding = useEachChange(remindBeneficiary)
  const deleting = useDeleteLoans()

  const remind = async (loans: readonly Loan[]) => {
    const readers = new Map(
      loans.flatMap(({ beneficiary, beneficiary_name }) =>
        beneficiary === null ? [] : [[beneficiary, beneficiary_name] as const],
      ),
    )
    const isSure = await confirm({
      title: `Relancer ${counted(readers.size, 'lecteur', 'lecteurs')}`,
      message: <Named names={[...readers.values()]} before="Un courriel sur ses retards partira à" />,
      acts: 'sends',
    })
    if (!isSure) return
    // On a screen that stays open, tomorrow’s mail is another.
    const results = await reminding.changeEach(
      [...readers.keys()].map((id) => ({ params: { id }, gesture: `${id} ${today}` })),
    )
    const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    const sent = results.length - failures.length
    const left = readers.size - results.length
    const [only] = readers.size === 1 ? readers.values() : []
    if (sent > 0) {
      if (only === undefined) await sayMailed(reminders(sent))
      else await sayMailed(oneMail, { about: only })
    }
    // The server names each reader whom it could not write to.
    if (failures.length > 0) say(mailFailure(...failures), 'bad')
    if (left > 0) say(`Arrêté\u202f: ${counted(left, 'lecteur', 'lecteurs')} sans relance.`, 'warn')
  }

  const removeAll = async (loans: readonly Loan[]) => {
    const isSure = await confirm({
      title: `Supprimer ${counted(loans.length, 'prêt', 'prêts')}`,
      message: (
        <Named
          names={loans.map(({ reference_name }) => reference_name)}
          before={
            'Ces prêts quittent les listes, et les exemplaires encore prêtés redeviennent disponibles\u202f:'
          }
        />
      ),
      acts: 'destroys',
    })
    if (!isSure) return
    const { done, failed, left } = await deleting.deleteLoans(loans)
    if (done.length > 0) say(`${counted(done.length, 'prêt supprimé', 'prêts supprimés')}.`)
    if (left.length > 0) {
      say(
        `Arrêté\u202f: ${counted(left.length, 'prêt', 'prêts')} non supprimé${left.length > 1 ? 's' : ''}.`,
        'warn',
      )
    }
    if (failed.length > mostTold) {
      const reasons = new Set(failed.map(({ error }) => sentenceOf(error)))
      const count = counted(failed.length, 'prêt n’a pas été supprimé', 'prêts n’ont pas été supprimés')
      return void say(`${count}\u202f: ${[...reasons].join(' ')}`, 'bad')
    }
    for (const { loan, error } of failed) {
      say(`«\u00a0${loan.reference_name}\u00a0»\u202f: ${sentenceOf(error)}`, 'bad')
    }
  }
  return {
    remind,
    removeAll,
    underWay: underWayOf('Relances', reminding) ?? underWayOf('Suppression des prêts', deleting),
  }
}

const underWayOf = (
  title: string,
  { progress, stop }: Pick<UnderWay, 'stop'> & { progress: Progress | null },
) => (progress && progress.total > 1 ? { title, progress, stop } : null)

/** How many failures are told one by one; more are told together, each reason once. */
const mostTold = 3

/** How many names a question lists. */
const mostNames = 8

function Named({ names, before }: { names: readonly string[]; before: string }) {
  const rest = names.length - mostNames
  return (
    <Stack gap="xs">
      <Text>{before}</Text>
      <List>
        {names.slice(0, mostNames).map((name, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- two copies may have one title
          <List.Item key={at}>{name}</List.Item>
        ))}
      </List>
      {rest > 0 ? <Text>et {counted(rest, 'autre', 'autres')}.</Text> : null}
    </Stack>
  )
}
