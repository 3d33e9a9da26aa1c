import { Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import * as v from 'valibot'

import { listLabelled } from '../../contract/label-list.ts'
import { mostLabels } from '../../contract/labels.ts'
import type { ListQuery } from '../../contract/list.ts'
import { getNextBarCode } from '../../contract/site-changes.ts'
import { id, instant, uuid } from '../../contract/wire.ts'
import { newKey } from '../../offline/new-key.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { acts } from '../ui/acts.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { FormElement } from '../ui/forms/form-element.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { UnreadState } from '../ui/states.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import styles from './labels.module.css'

/** A range that was retained on this device: the same key prints the same codes again. */
const range = v.object({
  environment: v.number(),
  user: v.number(),
  site: id,
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostLabels)),
  key: uuid,
  at: instant,
})
type KeptRange = v.InferOutput<typeof range>

const storageKey = 'comptoir.label-ranges'
const most = 20

function read(): readonly KeptRange[] {
  try {
    return v.parse(v.array(range), JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
  } catch {
    return []
  }
}

/** The latest first; another person is refused these codes by the server. */
const rangesOf = (person: Pick<KeptRange, 'environment' | 'user'>): readonly KeptRange[] =>
  read().filter(({ environment, user }) => environment === person.environment && user === person.user)

function keepRange(kept: KeptRange): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify([kept, ...read()].slice(0, most)))
  } catch {
    // Storage is full or forbidden: its address still prints it again.
  }
}

type Site = { id: number; name: string }

/** Which codes of which site are printed before their copies are added. */
export function RangePanel() {
  const { data, error, refetch } = useQuery(enabledSitesQuery)
  const session = useSession()
  if (!data) return <UnreadState error={error} onRetry={refetch} height="16rem" radius="lg" />
  const open = data.filter(({ id }) => session?.user?.sites.some((site) => site.id === id))
  const person = { environment: session?.environment_id ?? 0, user: session?.user?.id ?? 0 }
  return (
    <Stack>
      <RangeForm sites={open} own={session?.site?.id} person={person} />
      <LastRanges sites={open} person={person} />
    </Stack>
  )
}

const mostShown = 5

/** Those that this person retained here, to be printed again rather than retained again. */
function LastRanges({ sites, person }: Pick<RangeFormProps, 'sites' | 'person'>) {
  const [kept] = useState(() => rangesOf(person))
  const shown = kept
    .flatMap((range) => {
      const site = sites.find(({ id }) => id === range.site)
      return site ? [{ ...range, name: site.name }] : []
    })
    .slice(0, mostShown)
  if (shown.length === 0) return null
  return (
    <section className={`panel ${styles['range']}`} aria-labelledby="last-ranges">
      <Title order={2} size="h4" id="last-ranges">
        Plages retenues sur cet appareil
      </Title>
      {shown.map(({ key, count, site, name, at }) => (
        <Group key={key} justify="space-between" gap="xs" mt="sm">
          <Text>{`${counted(count, 'code', 'codes')}, ${name}, le ${frenchInstant(at)}`}</Text>
          <Button component={Link} to={addressOfRange({ site, count, key })} variant="default">
            Imprimer de nouveau
          </Button>
        </Group>
      ))}
    </section>
  )
}

type RangeFormProps = {
  sites: readonly Site[]
  own: number | undefined
  person: Pick<KeptRange, 'environment' | 'user'>
}

function RangeForm({ sites, own, person }: RangeFormProps) {
  const navigate = useNavigate()
  const first = sites.find(({ id }) => id === own) ?? sites[0]
  const form = useLocalForm<{ site: string; count: number | string }>({
    about: 'range of labels',
    initial: { site: String(first?.id ?? ''), count: 21 },
    check: ({ site, count }) => ({
      ...(site === '' ? { site: 'Choisissez un site.' } : {}),
      ...(Number(count) >= 1 && Number(count) <= mostLabels
        ? {}
        : { count: `Entrez un nombre de 1 à ${mostLabels}.` }),
    }),
    act: ({ site, count }) => {
      const range = { site: Number(site), count: Number(count), key: newKey() }
      keepRange({ ...range, ...person, at: new Date().toISOString() })
      // Going back leads before this form, which would retain other codes.
      void navigate(addressOfRange(range), { replace: true })
    },
  })
  const site = form.choice('site', 'Site')
  const next = useQuery({
    queryKey: ['sites', 'next', site.value],
    queryFn: ({ signal }) => call(getNextBarCode, { params: { id: Number(site.value) }, signal }),
    enabled: site.value !== null && site.value !== '',
    staleTime: 0,
    retry: false,
  })
  return (
    <div className="panel">
      <FormElement form={form} className={styles['range'] ?? ''}>
        <Stack>
          <Text c="dimmed">
            {inWords(
              'Des étiquettes à coller avant que les exemplaires ne soient ajoutés. Leurs codes sont retenus pour toujours\u202f: aucun autre exemplaire ne les recevra, et scanner l’un d’eux proposera d’ajouter le sien.',
            )}
          </Text>
          <Select required allowDeselect={false} data={sites.map(asChoice)} {...site} />
          <CountField required from={1} to={mostLabels} {...form.number('count', 'Combien de codes')} />
          <Text role="status" mih="1.5em">
            {next.data
              ? `Premier code\u202f: ${next.data.bar_code}`
              : next.error instanceof CallError
                ? next.error.message
                : ''}
          </Text>
          <Group justify="flex-end">
            <Button type="submit" disabled={next.error !== null}>
              Retenir ces codes
            </Button>
          </Group>
        </Stack>
      </FormElement>
    </div>
  )
}

/** What the address asks labels of: titles that were ticked, a filtered list, or codes that no copy has yet. */
export type WhichLabels = {
  kind: 'ticked' | 'filtered' | 'range'
  list: Partial<ListQuery>
  query: { ids?: string; type?: 'next'; site?: string; key?: string }
}

/** Null for a range that is not chosen yet. */
export function whichLabels(search: URLSearchParams, list: ListQuery): WhichLabels | null {
  const { filters, order } = list
  const ids = search.get('ids')
  if (ids !== null && /^\d+(,\d+)*$/.test(ids)) return { kind: 'ticked', list: { order }, query: { ids } }
  if (search.get('type') !== 'next') return { kind: 'filtered', list: { filters, order }, query: {} }
  const [site, key, count] = [search.get('site'), search.get('key'), Number(search.get('count'))]
  if (site === null || key === null || !(count >= 1 && count <= mostLabels)) return null
  return { kind: 'range', list: { limit: count }, query: { type: 'next', site, key } }
}

export const addressOfRanges = acts.printRange.to

/** Its key is written down, so that a page that is loaded again prints the same codes. */
const addressOfRange = (range: { site: number; count: number; key: string }): string =>
  `${addressOfRanges}&site=${range.site}&count=${range.count}&key=${range.key}`

export const labelShape = listLabelled.list
