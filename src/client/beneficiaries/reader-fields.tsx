import { asChoice, choicesOf } from '../ui/forms/as-choice.ts'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'

import { Autocomplete, Select, SimpleGrid, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { addBeneficiary } from '../../contract/beneficiary-changes.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { readerKindNames } from '../../domain/age-bands.ts'
import { useRight, useSession } from '../api/session.ts'
import { useToday } from '../loans/use-today.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { cardAdvice } from '../ui/bars-advice.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { FormSection, LaterSections } from '../ui/forms/form-page.tsx'
import { ScanField } from '../ui/forms/scan-field.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import { communesQuery, readerValuesQuery } from './reader-lists.ts'
import { Twins } from './twins.tsx'
import { inWords } from '../page/house-words.ts'

type Field = keyof BodyOf<typeof addBeneficiary>

/** What a form begins with; a field without its right is not in it, and so never sent. */
export const valuesOf = (
  reader: Beneficiary | null,
  { agency, mayContact, mayAddress }: { agency: number | null; mayContact: boolean; mayAddress: boolean },
) => ({
  kind: reader?.kind ?? ('person' as const),
  lastname: reader?.lastname ?? '',
  firstname: reader?.firstname ?? '',
  birth_year: reader?.birth_year ?? ('' as const),
  matricule: reader?.matricule ?? '',
  ...(mayContact ? { email: reader?.email ?? '', phone: reader?.phone ?? '' } : {}),
  ...(mayAddress ? { address: reader?.address ?? '', commune: reader?.commune ?? '' } : {}),
  contract_type: reader?.contract_type ?? '',
  beneficiary_status: reader?.beneficiary_status ?? '',
  dossiers: reader?.dossiers ?? [],
  agency_id: agencyOf(reader ? reader.agency_id : agency),
  reader_id: reader?.reader_id ?? '',
  message: reader?.message ?? '',
})

const agencyOf = (id: number | null) => (id === null ? null : String(id))

type ReaderFieldsProps = { form: Form<Field>; reader: Beneficiary | null }

/** Who a reader is, how to reach them, and what they are inscribed for. */
export function ReaderFields({ form, reader }: ReaderFieldsProps) {
  const today = useToday()
  const isMultisite = useIsMultisite()
  const mayContact = useRight('BENEFICIARY_CONTACT')
  const mayAddress = useRight('BENEFICIARY_ADDRESS')
  const kind = form.choice('kind', 'Type')
  const isPerson = kind.value !== 'collectivity'
  const lastname = form.text('lastname', isPerson ? 'Nom' : 'Nom de la collectivité')
  const firstname = form.text('firstname', 'Prénom')
  const birthYear = form.number('birth_year', 'Année de naissance')
  const number = form.text('reader_id', 'Numéro de lecteur')
  const email = mayContact ? form.text('email', 'Courriel') : null
  return (
    <>
      <FormSection title="Identité">
        <Select {...kind} data={choicesOf(readerKindNames)} allowDeselect={false} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput required maxLength={100} autoComplete="off" {...lastname} />
          {isPerson ? <TextInput maxLength={100} autoComplete="off" {...firstname} /> : null}
          {isPerson ? <CountField isYear from={1900} to={Number(today.slice(0, 4))} {...birthYear} /> : null}
          <TextInput
            maxLength={40}
            autoComplete="off"
            required={reader !== null}
            placeholder={reader === null ? 'Donné à l’enregistrement' : ''}
            {...form.text('matricule', 'Matricule')}
          />
        </SimpleGrid>
        {reader === null || form.isDirty ? (
          <Twins
            typed={{
              lastname: lastname.value,
              firstname: firstname.value,
              birth_year: isPerson ? String(birthYear.value) : '',
              email: email?.value ?? '',
              reader_id: number.value,
            }}
            except={reader?.id ?? null}
          />
        ) : null}
      </FormSection>
      <LaterSections>
        <FormSection title="Carte et inscription">
          <ScanField
            {...number}
            {...cardAdvice(number.value)}
            placeholder="Scannez la carte, ou tapez son numéro"
            onScan={(code) => form.write('reader_id', code)}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <ValueField form={form} field="contract_type" label="Contrat" kind="CONTRACT" />
            <ValueField form={form} field="beneficiary_status" label="Statut" kind="BENEFICIAIRE_STATUS" />
          </SimpleGrid>
          <Dossiers form={form} />
          {isMultisite ? <SiteField form={form} reader={reader} /> : null}
          <Textarea
            maxLength={1000}
            autosize
            minRows={2}
            description="Lu par l’équipe au comptoir."
            {...form.text('message', 'Message')}
          />
        </FormSection>
        {email || mayAddress ? (
          <FormSection title="Contact">
            {email ? (
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <TextInput maxLength={200} inputMode="email" autoComplete="off" {...email} />
                <TextInput
                  maxLength={40}
                  inputMode="tel"
                  autoComplete="off"
                  {...form.text('phone', 'Téléphone')}
                />
              </SimpleGrid>
            ) : null}
            {mayAddress ? <AddressFields form={form} /> : null}
          </FormSection>
        ) : null}
      </LaterSections>
    </>
  )
}

type FieldsProps = { form: Form<Field> }

function AddressFields({ form }: FieldsProps) {
  const { data: communes = [] } = useQuery(communesQuery)
  const { value, ...commune } = form.choice('commune', 'Commune')
  return (
    <>
      <Textarea maxLength={500} autosize minRows={2} {...form.text('address', 'Adresse')} />
      <Autocomplete
        {...commune}
        value={value ?? ''}
        data={communes.map(({ name }) => name)}
        limit={20}
        maxLength={100}
        autoComplete="off"
      />
    </>
  )
}

type ValueFieldProps = FieldsProps & {
  field: 'contract_type' | 'beneficiary_status'
  label: string
  kind: Parameters<typeof readerValuesQuery>[0]
}

/** A word that other readers have, or a new one. */
function ValueField({ form, field, label, kind }: ValueFieldProps) {
  const { data: known = [] } = useQuery(readerValuesQuery(kind))
  const { value, ...props } = form.choice(field, label)
  return (
    <Autocomplete
      {...props}
      value={value ?? ''}
      data={known.map(({ name }) => name)}
      limit={20}
      maxLength={100}
      autoComplete="off"
    />
  )
}

function Dossiers({ form }: FieldsProps) {
  const { data: known = [] } = useQuery(readerValuesQuery('DOSSIER_TYPE'))
  return (
    <TagsInput
      {...form.several('dossiers', 'Dossiers')}
      description={inWords('Ce à quoi le lecteur a droit en plus de son contrat.')}
      data={known.map(({ name }) => name)}
      limit={20}
      maxTags={50}
      acceptValueOnBlur
      splitChars={[]}
    />
  )
}

/** The person's own sites, and the reader's even where it is another. */
function SiteField({ form, reader }: ReaderFieldsProps) {
  const sites = useSession()?.user?.sites ?? []
  const own = reader?.agency_id
  const data = [
    ...sites,
    ...(own && !sites.some(({ id }) => id === own) ? [{ id: own, name: reader.agency ?? '' }] : []),
  ].map(asChoice)
  return <Select {...form.choice('agency_id', 'Site')} data={data} clearable />
}
