import { Select, Stack, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconBasketMinus, IconFileTypePdf, IconMapPinShare, IconList, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'

import { totalOf } from '../../contract/list.ts'
import { type CartLine, changeLine, listCart, takeOut } from '../../contract/weeding.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import { type WeedingReason, whyWeeded } from '../../domain/weeding.ts'
import { listQuery, useEachChange } from '../api/queries.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { titleColumn } from '../catalogue/work-columns.tsx'
import { sentenceOf } from '../loans/loan-errors.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { choice, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { nounOf } from '../ui/nouns.ts'
import { counted } from '../ui/words.ts'
import { CartScans } from './cart-scans.tsx'
import { CouncilDialog } from './council-dialog.tsx'
import { StopTag } from './stop-tag.tsx'
import { useCartScans } from './use-cart-scans.ts'
import { WeedingTabs } from './weeding-tabs.tsx'
import { reasonChoices, wordOf } from './weeding-words.ts'
import { WithdrawCartDialog } from './withdraw-cart-dialog.tsx'

type DestinationDialogProps = {
  lines: readonly CartLine[]
  onConfirm: (reason: WeedingReason | null) => Promise<unknown>
  onClose: () => void
}

const asTheRest = 'rest'

/** Another destination for some copies than for the rest of the cart. */
function DestinationDialog({ lines, onConfirm, onClose }: DestinationDialogProps) {
  const [first] = lines
  const form = useLocalForm({
    about: `destination of copies ${lines.map(({ id }) => id).join()}`,
    initial: { reason: (lines.length === 1 && first?.reason) || asTheRest },
    act: ({ reason }) => onConfirm(reason === asTheRest ? null : (reason as WeedingReason)),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={
        lines.length === 1 && first
          ? `Destination de «\u00a0${first.name}\u00a0»`
          : `Destination de ${counted(lines.length, 'exemplaire', 'exemplaires')}`
      }
      form={form}
      onClose={onClose}
    >
      <Select
        {...form.choice('reason', 'Destination')}
        allowDeselect={false}
        data={[{ value: asTheRest, label: 'Comme le reste du panier' }, ...reasonChoices]}
      />
    </FormDialog>
  )
}

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

type Open =
  | { what: 'withdraw'; lines: readonly CartLine[] | null }
  | { what: 'destination'; lines: readonly CartLine[] }
  | { what: 'council' }

/** The cart of a site: filled by scanning or from the list, looked through, and withdrawn as one act. */
export default function CartScreen() {
  const { data } = useQuery(listQuery(listCart, { limit: 1 }))
  const count = totalOf(data) ?? 0
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const scans = useCartScans()
  const { actions, setReason, underWay } = useLineActions(setOpen, scans.forget)
  return (
    <ListScreen
      endpoint={listCart}
      title="Panier du désherbage"
      noun={nounOf('exemplaire', 'm')}
      cycle="desc-first"
      about={
        <Stack gap="md">
          <WeedingTabs current="cart" />
          <CartScans scans={scans} />
          <Suspense fallback={null}>
            <JobProgress kind="weeding.withdraw" title="Retrait du fonds" doneWords={() => doneWords} />
          </Suspense>
          {data && count > 0 ? <Summary count={count} value={data.value} stopped={data.stopped} /> : null}
        </Stack>
      }
      pageActions={
        count === 0
          ? []
          : [
              {
                label: 'Liste pour le conseil',
                Icon: IconFileTypePdf,
                onRun: () => setOpen({ what: 'council' }),
              },
              {
                label: 'Retirer du fonds',
                short: 'Retirer',
                Icon: IconTrash,
                onRun: () => setOpen({ what: 'withdraw', lines: null }),
                isMain: true,
                isDangerous: true,
              },
            ]
      }
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name, bar_code }) => `${name}, ${bar_code}`}
      rowActions={actions}
      rowTone={({ stopped }) => (stopped === null ? undefined : 'bad')}
      underWay={underWay}
      whenEmpty={toList}
    >
      {open?.what === 'withdraw' ? (
        <WithdrawCartDialog
          chosen={open.lines}
          count={open.lines?.length ?? count}
          stopped={
            open.lines ? open.lines.filter(({ stopped }) => stopped !== null).length : (data?.stopped ?? 0)
          }
          onDone={() => scans.forget(open.lines?.map(({ id }) => id) ?? null)}
          onClose={close}
        />
      ) : null}
      {open?.what === 'destination' ? (
        <DestinationDialog
          lines={open.lines}
          onConfirm={(reason) => setReason(open.lines, reason)}
          onClose={close}
        />
      ) : null}
      {open?.what === 'council' ? <CouncilDialog weeding={null} onClose={close} /> : null}
    </ListScreen>
  )
}

const doneWords = 'Désherbage fait. Il se relit et s’annule depuis «\u00a0Désherbages faits\u00a0».'

function Summary({ count, value, stopped }: { count: number; value: string; stopped: number }) {
  return (
    <Text role="status">
      {counted(count, 'exemplaire au panier', 'exemplaires au panier')}
      {Number(value) > 0 ? `, d’une valeur connue de ${frenchMoney(value)}` : ''}
      {stopped > 0
        ? `. ${counted(stopped, 'ne peut pas partir', 'ne peuvent pas partir')} comme ${stopped === 1 ? 'il est' : 'ils sont'}.`
        : '.'}
    </Text>
  )
}

/** What is done to lines of the cart, one or those that are ticked. */
function useLineActions(open: (what: Open) => void, forget: (copies: readonly number[]) => void) {
  const taking = useEachChange(takeOut)
  const changing = useEachChange(changeLine)
  const sayFailures = (results: readonly PromiseSettledResult<unknown>[]) => {
    const sentences = new Set(
      results.flatMap((one) => (one.status === 'rejected' ? [sentenceOf(one.reason)] : [])),
    )
    for (const sentence of sentences) say(sentence, 'bad')
  }
  const take = useCallbackRef(async (lines: readonly CartLine[]) => {
    const results = await taking.changeEach(lines.map(({ id }) => ({ params: { id } })))
    const done = lines.filter((_, at) => results[at]?.status === 'fulfilled')
    forget(done.map(({ id }) => id))
    if (done.length > 0) say(`${counted(done.length, 'exemplaire ôté', 'exemplaires ôtés')} du panier.`)
    sayFailures(results)
  })
  const setReason = async (lines: readonly CartLine[], reason: WeedingReason | null) => {
    const results = await changing.changeEach(lines.map(({ id }) => ({ params: { id }, body: { reason } })))
    const [first] = results
    // Where nothing was changed, the question stays and says why.
    if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected'))
      throw first.reason
    say('Destination enregistrée.')
    sayFailures(results)
  }
  const actions = useMemo(
    (): readonly RowAction<CartLine>[] => [
      {
        key: 'destination',
        label: 'Donner sa destination',
        Icon: IconMapPinShare,
        run: (line) => open({ what: 'destination', lines: [line] }),
        runAll: (lines) => open({ what: 'destination', lines }),
      },
      {
        key: 'take-out',
        label: 'Ôter du panier',
        Icon: IconBasketMinus,
        isMain: true,
        run: (line) => take([line]),
        runAll: take,
      },
      {
        key: 'withdraw',
        label: 'Retirer du fonds',
        Icon: IconTrash,
        tone: 'bad',
        may: ({ stopped }) => stopped === null,
        run: (line) => open({ what: 'withdraw', lines: [line] }),
        runAll: (lines) => open({ what: 'withdraw', lines }),
      },
    ],
    [open, take],
  )
  const { progress, stop } = taking.progress ? taking : changing
  const underWay = progress && progress.total > 1 ? { title: 'Changement du panier', progress, stop } : null
  return { actions, setReason, underWay }
}

const toList = [{ label: 'Choisir dans la liste', Icon: IconList, to: '/weeding' }]

const filters = [
  search('searchname|like', 'Titre, auteur ou code-barres'),
  choice('stopped|eq', 'Peut partir', [
    { value: '', label: 'Tous' },
    { value: '0', label: 'Peuvent partir' },
    { value: '1', label: 'Ne peuvent pas partir' },
  ]),
]

const columns: readonly Column<CartLine>[] = [
  titleColumn<CartLine>(({ reference, name }) => (
    <DetailLink to={addressOfReference(reference)}>{name}</DetailLink>
  )),
  { key: 'author', title: 'Auteur', phone: 'who', width: 8, cell: ({ author }) => author ?? '' },
  {
    key: 'bar_code',
    title: 'Code-barres',
    phone: 'when',
    order: 'bar_code',
    role: 'lasting',
    width: 10.5,
    cell: ({ bar_code }) => bar_code,
  },
  {
    key: 'why',
    title: 'Pourquoi',
    phone: 'who',
    width: 12,
    cell: (line) =>
      [line.is_scanned ? 'Scanné' : line.why === '' ? 'Choisi dans la liste' : null, whyWeeded(line)]
        .filter(Boolean)
        .join(' · '),
  },
  {
    key: 'last_loan',
    title: 'Dernier prêt',
    role: 'extra',
    width: 7.5,
    cell: ({ last_loan }) => (last_loan === null ? 'Jamais' : frenchDay(last_loan)),
  },
  { key: 'reason', title: 'Destination', phone: 'below', width: 8, cell: ({ reason }) => wordOf(reason) },
  { key: 'who', title: 'Mis par', role: 'extra', width: 8, cell: ({ who }) => who },
  {
    key: 'stopped',
    title: 'Départ',
    phone: 'state',
    role: 'lasting',
    width: 11,
    cell: (line) => <StopTag of={line} />,
  },
]
