import { Anchor, Stack, Text, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'

import { type Closure, closures } from '../../contract/closures.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import type { Days } from '../../domain/typed-day.ts'
import { useChange } from '../api/queries.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { say, sayError } from '../page/messages.ts'
import { acts } from '../ui/acts.ts'
import { useBegun } from '../ui/begun.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { DateField } from '../ui/forms/date-field.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { days, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { useJournal } from '../ui/lists/use-journal.tsx'
import { inSentences } from '../ui/nouns.ts'
import { counted } from '../ui/words.ts'
import { CloseDialog } from './close-dialog.tsx'
import HolidaysDialog from './holidays-dialog.tsx'
import { siteOf, useClosableSites } from './site-choice.ts'
import { useSiteOpenings } from './site-openings.ts'
import { WeekOfSites } from './week-of-sites.tsx'

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

type Opened =
  { name: 'close'; days?: Days | undefined } | { name: 'holidays' } | { name: 'edit'; closure: Closure }

/** Paramètres, « Jours d’ouverture » : the week of each site, and the days when it is closed all the same. */
export default function ClosureListScreen() {
  const today = useToday()
  const [opened, setOpened] = useState<Opened | null>(null)
  const onClose = () => setOpened(null)
  const close = () => setOpened({ name: 'close' })
  const closeDays = (days?: Days) => setOpened({ name: 'close', days })
  const closeHolidays = () => setOpened({ name: 'holidays' })
  useBegun('addClosure', closeDays)
  useBegun('addHolidays', closeHolidays)
  const openings = useSiteOpenings()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const remove = useChange(closures.remove)
  const { journalAction, journal } = useJournal<Closure>('closures', ({ label }) => label)
  const askRemove = useCallbackRef(async ({ id, label, act }: Closure) => {
    const isSure = await confirm({
      title: `Supprimer la fermeture «\u00a0${label}\u00a0»\u202f?`,
      message: act
        ? 'Ces jours seront ouverts, mais les retours qu’elle a déplacés restent où ils sont. Pour les remettre aussi, annulez plutôt l’acte.'
        : 'Ces jours seront ouverts. Les retours déjà prévus restent où ils sont.',
      acts: 'destroys',
    })
    if (!isSure) return
    await remove
      .mutateAsync({ params: { id } })
      .then(() => void say(changesSaved, 'good', { about: label }), sayError)
  })
  const actions = useMemo(
    (): readonly RowAction<Closure>[] => [
      {
        key: 'edit',
        label: 'Modifier',
        Icon: IconPencil,
        run: (closure) => setOpened({ name: 'edit', closure }),
        isMain: true,
      },
      {
        key: 'act',
        label: 'Voir ou annuler l’acte',
        Icon: IconHistory,
        may: ({ act }) => act !== null,
        run: ({ act }) => void navigate(`/settings/acts/view/${act}`),
      },
      { key: 'remove', label: 'Supprimer', Icon: IconTrash, run: askRemove, tone: 'bad' },
      ...journalAction,
    ],
    [journalAction, askRemove, navigate],
  )
  // Once only Christmas is left of a year, the next one is thought of.
  const year = Number(today.slice(0, 4)) + (today.slice(5) > '11-11' ? 1 : 0)
  return (
    <ListScreen
      endpoint={closures.list}
      title="Jours d’ouverture"
      cycle="desc-first"
      about={
        <Stack gap="sm">
          <Text c="dimmed" maw="46rem">
            {inWords(
              'Les retours, les pénalités et les mises de côté passent les jours fermés. Un retour prévu un jour fermé va au jour ouvert suivant.',
            )}
          </Text>
          <WeekOfSites />
          <Suspense fallback={null}>
            <JobProgress kind="closures.close" title={inWords('Retours déplacés')} doneWords={movedWords} />
          </Suspense>
        </Stack>
      }
      noun={inSentences(closures.noun)}
      example="Congés de Noël"
      filters={[search('label|like', 'Motif'), days('first_day', 'Premier jour')]}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ label }) => label}
      rowActions={actions}
      pageActions={[
        { label: `Jours fériés ${year}`, Icon: acts.addHolidays.Icon, onRun: closeHolidays },
        { label: 'Fermer…', Icon: acts.addClosure.Icon, onRun: close, isMain: true },
      ]}
    >
      {journal}
      {opened?.name === 'close' ? <CloseDialog days={opened.days} onClose={onClose} /> : null}
      {opened?.name === 'edit' ? <ClosureDialog closure={opened.closure} onClose={onClose} /> : null}
      {opened?.name === 'holidays' && openings ? (
        <HolidaysDialog year={year} today={today} openings={openings} onClose={onClose} />
      ) : null}
    </ListScreen>
  )
}

const movedWords = (count: number) =>
  `${counted(count, 'retour vu', 'retours vus', 'Aucun retour à déplacer')}.`

const columns: readonly Column<Closure>[] = [
  { key: 'label', title: 'Motif', order: 'label', role: 'main', cell: ({ label }) => label },
  {
    key: 'first_day',
    title: 'Du',
    order: 'first_day',
    role: 'day',
    cell: ({ first_day }) => frenchDay(first_day),
  },
  {
    key: 'last_day',
    title: 'Au',
    order: 'last_day',
    role: 'day',
    cell: ({ last_day }) => frenchDay(last_day),
  },
  {
    key: 'site_name',
    title: 'Site',
    order: 'site_name',
    cell: ({ site, site_name }) => (site === null ? 'Tous les sites' : site_name),
  },
  {
    key: 'act',
    title: 'Acte',
    role: 'extra',
    cell: ({ act }) =>
      act === null ? (
        ''
      ) : (
        <Anchor component={Link} to={`/settings/acts/view/${act}`}>
          Fermeture
        </Anchor>
      ),
  },
]

type Fields = { site: string; first_day: string; last_day: string; label: string }

/** Changes a closure: what is lent from now on goes by it, and what is due already stays. */
function ClosureDialog({ closure, onClose }: { closure: Closure; onClose: () => void }) {
  const sites = useClosableSites()
  const change = useChange(closures.change)
  const { id, first_day, last_day, label, site } = closure
  const form = useLocalForm<Fields>({
    about: `closure ${id}`,
    initial: { site: String(site ?? 0), first_day, last_day, label },
    act: (values) => change.mutateAsync({ params: { id }, body: { ...values, site: siteOf(values.site) } }),
    onDone: () => {
      say(changesSaved, 'good', { about: label })
      onClose()
    },
  })
  return (
    <FormDialog title="Modifier la fermeture" form={form} onClose={onClose}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateField required {...form.day('first_day', 'Premier jour')} />
        <DateField required {...form.day('last_day', 'Dernier jour')} />
      </SimpleGrid>
      <TextInput
        required
        maxLength={100}
        description={inWords('Les retours déjà prévus gardent leur jour.')}
        {...form.text('label', 'Motif')}
      />
      {sites.length > 1 ? (
        <Select allowDeselect={false} data={sites} {...form.choice('site', 'Site')} />
      ) : null}
    </FormDialog>
  )
}
