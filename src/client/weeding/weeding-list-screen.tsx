import { useCallbackRef } from '@mantine/hooks'
import { IconBasketPlus, IconBooks, IconScan } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { type ExaminedCopy, listWeeding, mostPut, putInCart } from '../../contract/weeding.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { copyStates } from '../../domain/loan-rules.ts'
import { idleChoices, idleWords, moreThanChoices, moreThanWords } from '../../domain/weeding.ts'
import { useChange } from '../api/queries.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { categoriesQuery } from '../catalogue/list-queries.ts'
import { addressOfReference, locationChoicesQuery } from '../catalogue/reference-data.ts'
import { titleColumn } from '../catalogue/work-columns.tsx'
import { say } from '../page/messages.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { choicesOf } from '../ui/forms/as-choice.ts'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { among, choice, days, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import { StopTag } from './stop-tag.tsx'
import { WeedingTabs } from './weeding-tabs.tsx'
import { addressOfCart, whyChosen } from './weeding-words.ts'

const SeekWeeded = lazy(() => import('./seek-weeded.tsx'))

/** « Désherbage » : what nobody borrows any more, is worn or is there too often, to be put into the cart. */
export default function WeedingListScreen() {
  const isMultisite = useIsMultisite()
  const [asked] = useSearchParams()
  const putting = useChange(putInCart)
  const put = useCallbackRef(async (copies: readonly ExaminedCopy[]) => {
    const ids = copies.map(({ id }) => id).slice(0, mostPut)
    const { added, already, out } = await putting.mutateAsync({
      body: { copies: ids, why: whyChosen(asked) },
    })
    if (added > 0) say(`${counted(added, 'exemplaire mis', 'exemplaires mis')} au panier.`)
    if (already > 0) say(`${counted(already, 'exemplaire y était', 'exemplaires y étaient')} déjà.`, 'warn')
    if (out > 0)
      say(`${counted(out, 'exemplaire est sorti et reste', 'exemplaires sont sortis et restent')}.`, 'warn')
  })
  const actions = useMemo(
    (): readonly RowAction<ExaminedCopy>[] => [
      {
        key: 'put',
        label: 'Mettre au panier',
        Icon: IconBasketPlus,
        isMain: true,
        may: ({ in_cart, stopped }) => !in_cart && stopped !== 'lent' && stopped !== 'sent',
        run: (copy) => put([copy]),
        runAll: put,
      },
    ],
    [put],
  )
  const filters = useMemo(
    () => [...filtersFirst, ...(isMultisite ? [site] : []), ...filtersLast],
    [isMultisite],
  )
  const [isSeeking, setSeeking] = useState(false)
  return (
    <ListScreen
      endpoint={listWeeding}
      title="Désherbage"
      noun={nounOf('exemplaire', 'm')}
      about={<WeedingTabs current="list" />}
      pageActions={[
        ...toCart,
        { label: 'Chercher par l’image', Icon: IconBooks, onRun: () => setSeeking(true) },
      ]}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name, bar_code }) => `${name}, ${bar_code}`}
      rowActions={actions}
    >
      {isSeeking ? (
        <Suspense fallback={null}>
          <SeekWeeded put={put} onClose={() => setSeeking(false)} />
        </Suspense>
      ) : null}
    </ListScreen>
  )
}

const toCart = [
  { label: 'Scanner en rayon', short: 'Scanner', Icon: IconScan, to: addressOfCart, isMain: true },
]

const filtersFirst = [
  search('searchname|like', 'Titre, auteur ou code-barres'),
  choice('idle|eq', 'Prêts', [
    { value: '', label: 'Tous' },
    ...idleChoices.map((value) => ({ value, label: idleWords[value] })),
  ]),
  among('state|in', 'État', choicesOf(copyStates)),
  choice('more_than|eq', 'Doubles', [
    { value: '', label: 'Tous' },
    ...moreThanChoices.map((value) => ({ value, label: moreThanWords(value) })),
  ]),
  among('category|in', 'Catégories', categoriesQuery),
  among('medium|in', 'Supports', mediaQuery),
]
const site = among('site|in', 'Site', enabledSitesQuery)
const filtersLast = [
  among('location|in', 'Emplacement', locationChoicesQuery),
  days('buy_date', 'Acquis'),
  days('last_loan', 'Dernier prêt', 'until'),
  choice('in_cart|eq', 'Panier', [
    { value: '', label: 'Tous' },
    { value: '0', label: 'Pas au panier' },
    { value: '1', label: 'Au panier' },
  ]),
]

const columns: readonly Column<ExaminedCopy>[] = [
  titleColumn<ExaminedCopy>(({ reference, name }) => (
    <DetailLink to={addressOfReference(reference)}>{name}</DetailLink>
  )),
  { key: 'author', title: 'Auteur', phone: 'who', width: 11, cell: ({ author }) => author ?? '' },
  {
    key: 'bar_code',
    title: 'Code-barres',
    order: 'bar_code',
    role: 'extra',
    width: 10.5,
    cell: ({ bar_code }) => bar_code,
  },
  {
    key: 'place',
    title: 'Place',
    phone: 'who',
    role: 'extra',
    width: 14,
    cell: ({ call_number, location_label }) =>
      [call_number, location_label].filter((part) => part !== null).join(' · '),
  },
  { key: 'state', title: 'État', role: 'extra', width: 7.5, cell: ({ state_name }) => state_name },
  {
    key: 'buy_date',
    title: 'Acquis le',
    order: 'buy_date',
    role: 'day',
    cell: ({ buy_date }) => (buy_date === null ? '' : frenchDay(buy_date)),
  },
  {
    key: 'last_loan',
    title: 'Prêts (dernier)',
    phone: 'when',
    order: 'last_loan',
    role: 'lasting',
    width: 9,
    cell: ({ loans, last_loan }) =>
      last_loan === null ? 'Jamais' : `${frenchNumber(loans)} (${frenchDay(last_loan)})`,
    onPhone: ({ last_loan }) => (last_loan === null ? 'jamais prêté' : `prêté le ${frenchDay(last_loan)}`),
  },
  {
    key: 'copies',
    title: 'Exemplaires',
    align: 'end',
    role: 'extra',
    width: 6.5,
    cell: ({ copies }) => copies,
  },
  {
    key: 'in_cart',
    title: 'Panier',
    phone: 'state',
    role: 'lasting',
    width: 11,
    cell: (copy) => (copy.in_cart ? <StatusTag tone="good">Au panier</StatusTag> : <StopTag of={copy} />),
  },
]
