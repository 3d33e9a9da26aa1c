import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { type Copy, copyTypes, type Reference } from '../../contract/catalogue.ts'
import { addCopies, changeCopy } from '../../contract/copies.ts'
import { membersOf } from '../../contract/list.ts'
import type { Site } from '../../contract/sites.ts'
import { likelyCode } from '../../domain/bar-code.ts'
import { runsOf } from '../../domain/code-runs.ts'
import { copyStates, durationTypes } from '../../domain/loan-rules.ts'
import { copyAdded, copyUpdated } from '../../domain/sentences/catalogue.ts'
import { useSession } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { labelAdvice } from '../ui/bars-advice.ts'
import { AmountField } from '../ui/forms/amount-field.tsx'
import { asChoice, choicesOf, sameChoices } from '../ui/forms/as-choice.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { DateField } from '../ui/forms/date-field.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { keptBeside } from '../ui/forms/kept-beside.ts'
import type { Form } from '../ui/forms/use-fields.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { counted, firstNames } from '../ui/words.ts'
import { mediaQuery } from './catalogue-data.ts'
import { type CodeField, CopyCodesFields, scanOrType, useCopyCodes } from './copy-codes.tsx'
import { locationChoicesQuery } from './reference-data.ts'

type Of = Pick<Reference, 'id' | 'name' | 'medium' | 'type'>

type AddCopyProps = {
  reference: Of
  barCode?: string
  onClose: () => void
  onAdded?: (copies: readonly Copy[]) => void
}

type Sites = readonly Pick<Site, 'id' | 'name' | 'bar_codes_configuration'>[]

const symbologyOf = (sites: Sites, site: number) =>
  sites.find(({ id }) => id === site)?.bar_codes_configuration.symbology

/** One copy of a title, or many that are alike but for their codes. */
export function AddCopyDialog(props: AddCopyProps) {
  const { data: sites = [], isLoading } = useQuery(enabledSitesQuery)
  // Its site is chosen from the start.
  return isLoading ? null : <AddCopies {...props} sites={sites} />
}

function AddCopies({ reference, barCode = '', onClose, onAdded, sites }: AddCopyProps & { sites: Sites }) {
  const own = useSession()?.site
  const open = useOpenSites(sites)
  const site = open.find(({ id }) => id === own?.id)?.id ?? open[0]?.id
  const codes = useCopyCodes(barCode, useFlagParameter('barCodesIncrement') ?? false)
  const form = useForm<typeof addCopies, Record<CodeField, string>>(addCopies, {
    initial: {
      state: 'VERY_GOOD',
      type: reference.type,
      price: null,
      ...(site === undefined ? {} : { site }),
    },
    unsent: {},
    about: reference.id,
    fixed: { reference: reference.id, ...codes.sent },
    check: (values) => ({
      ...(values.site ? {} : { site: 'Choisissez un site.' }),
      ...codes.missing(),
    }),
    onSaved: (saved) => {
      const copies = membersOf(saved)
      sayAdded(copies)
      onAdded?.(copies)
      onClose()
    },
  })
  const chosen = form.choice('site', 'Site')
  return (
    <FormDialog
      title={`Ajouter ${codes.many > 1 ? `${codes.many} exemplaires` : 'un exemplaire'} de «\u00a0${reference.name}\u00a0»`}
      size="30rem"
      form={keptBeside(form, codes.draft)}
      onClose={onClose}
      onScan={codes.scan}
    >
      <CopyCodesFields
        codes={codes}
        form={form}
        site={Number(chosen.value)}
        symbology={symbologyOf(sites, Number(chosen.value))}
      />
      {open.length > 1 ? (
        <Select
          {...chosen}
          required
          allowDeselect={false}
          data={open.map(asChoice)}
          onChange={(value) => form.write('site', Number(value))}
        />
      ) : null}
      <CopyFields form={form} reference={reference} />
    </FormDialog>
  )
}

function sayAdded(copies: readonly Copy[]): void {
  const codes = copies.map(({ bar_code }) => bar_code)
  if (codes.length < 2) return void say(copyAdded, 'good', { about: codes.join('') })
  const runs = runsOf(codes)
  const told = firstNames(runs.length > 3 ? codes : runs)
  say(`${counted(codes.length, 'exemplaire ajouté', 'exemplaires ajoutés')}\u202f: ${told}.`)
}

type ChangeCopyProps = { copy: Copy; onClose: () => void }

export function ChangeCopyDialog({ copy, onClose }: ChangeCopyProps) {
  const isMultisite = useIsMultisite()
  const { data: sites = [] } = useQuery(enabledSitesQuery)
  const form = useForm(changeCopy, {
    initial: {
      bar_code: copy.bar_code,
      state: copy.state,
      location: copy.location?.id ?? null,
      buy_date: copy.buy_date,
      cycle_type: copy.cycle_type,
      cycle_value: copy.cycle_value,
      price: copy.own_price,
      type: copy.type,
    },
    params: { id: copy.id },
    onSaved: (saved) => {
      say(copyUpdated, 'good', { about: saved.bar_code })
      onClose()
    },
  })
  const code = form.text('bar_code', 'Code-barres')
  return (
    <FormDialog
      title={`Modifier l’exemplaire ${copy.bar_code}`}
      form={form}
      onClose={onClose}
      onScan={(text) => form.write('bar_code', likelyCode(text))}
    >
      <TextInput
        required
        maxLength={64}
        autoComplete="off"
        {...code}
        {...labelAdvice(symbologyOf(sites, copy.site), code.value, scanOrType)}
      />
      {isMultisite ? (
        <TextInput label={inWords('Site')} value={copy.site_name} readOnly variant="filled" />
      ) : null}
      <CopyFields
        form={form}
        reference={{ id: copy.reference, name: copy.name, medium: copy.medium, type: copy.type }}
      />
    </FormDialog>
  )
}

/** Those of the person, or all where none are theirs alone. */
function useOpenSites<S extends { id: number }>(sites: readonly S[]): readonly S[] {
  const own = useSession()?.user?.sites ?? []
  return sites.filter(({ id }) => own.some((site) => site.id === id))
}

type Field = 'state' | 'location' | 'buy_date' | 'cycle_type' | 'cycle_value' | 'price' | 'type'
type CopyForm = Pick<Form<Field>, 'text' | 'choice' | 'number' | 'day' | 'write'>

function CopyFields({ form, reference }: { form: CopyForm; reference: Of }) {
  const { data: places = [] } = useQuery(locationChoicesQuery)
  const { data: media = [] } = useQuery(mediaQuery)
  const isByCycles = media.find(({ id }) => id === reference.medium?.id)?.duration_type === 'CYCLE'
  const location = form.choice('location', 'Emplacement')
  const price = form.text('price', 'Prix')
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select {...form.choice('state', 'État')} allowDeselect={false} data={choicesOf(copyStates)} />
        <Select
          {...location}
          clearable
          searchable
          placeholder="Aucun"
          nothingFoundMessage={inWords('Aucun emplacement')}
          data={places.map(asChoice)}
          onChange={(value) => form.write('location', value === null ? null : Number(value))}
        />
        <AmountField
          label={price.label}
          value={price.value}
          error={price.error}
          placeholder="Prix du titre"
          onChange={(amount) => form.write('price', amount || null)}
        />
        <Select {...form.choice('type', 'Type')} allowDeselect={false} data={sameChoices(copyTypes)} />
        <DateField isPast {...form.day('buy_date', 'Acquis le')} />
      </SimpleGrid>
      {isByCycles ? (
        <SimpleGrid cols={2}>
          <CountField from={1} to={1000} {...form.number('cycle_value', 'Longueur d’un cycle')} />
          <Select
            {...form.choice('cycle_type', 'Unité')}
            data={(['DAY', 'WEEK', 'MONTH'] as const).map((unit) => ({
              value: unit,
              label: durationTypes[unit],
            }))}
          />
        </SimpleGrid>
      ) : null}
    </>
  )
}
