import { Select, SimpleGrid, TextInput } from '@mantine/core'

import { addSite, changeSite } from '../../contract/site-changes.ts'
import type { Site } from '../../contract/sites.ts'
import { defaultSymbology, type LabelSymbology, labelSymbologies } from '../../domain/label-symbologies.ts'
import { symbologyNames } from '../../domain/symbology-signs.ts'
import { numberingFault } from '../../domain/site-bar-code.ts'
import { useChange } from '../api/queries.ts'
import type { Editing } from '../ui/lists/editable-list.tsx'
import { faultsFrom } from '../ui/forms/faults-from.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { NextCodes } from './next-codes.tsx'
import { inWords } from '../page/house-words.ts'

type SiteFields = {
  name: string
  gestit_id: string
  hours: string
  siteCode: string
  firstValue: string
  symbology: LabelSymbology
}

/** The name and the numbering of a site; it is put in and out of service in the list. */
export function SiteDialog({ item: site, onSaved, onClose }: Editing<Site>) {
  const add = useChange(addSite)
  const change = useChange(changeSite)
  const initial: SiteFields = {
    name: site?.name ?? '',
    gestit_id: site?.gestit_id ?? '',
    hours: hoursIn(site?.weekly_minutes ?? null),
    siteCode: site?.bar_codes_configuration.siteCode ?? '',
    firstValue: site?.bar_codes_configuration.firstValue ?? '0001',
    symbology: site?.bar_codes_configuration.symbology ?? defaultSymbology,
  }
  const bodyOf = ({ name, gestit_id, hours, siteCode, firstValue, symbology }: SiteFields) => ({
    name,
    gestit_id,
    weekly_minutes: minutesOf(hours),
    bar_codes_configuration: { siteCode: siteCode.trim(), firstValue: firstValue.trim(), symbology },
  })
  const form = useLocalForm<SiteFields, Site>({
    about: `site ${site?.id ?? 'new'}`,
    initial,
    check: (values) => {
      const { name, ...others } = bodyOf(values)
      const fault = numberingFault(others.bar_codes_configuration)
      return {
        ...(fault === null ? {} : { symbology: fault }),
        ...(isHours(values.hours) ? {} : { hours: 'Écrivez des heures, comme 24 ou 37,5 (168 au plus).' }),
        ...faultsFrom(addSite.body, name === '' ? others : { ...others, name }),
      }
    },
    act: (values) => {
      const body = bodyOf(values)
      return site ? change.mutateAsync({ params: { id: site.id }, body }) : add.mutateAsync({ body })
    },
    onDone: onSaved,
  })
  const siteCode = form.text('siteCode', 'Code du site')
  const firstValue = form.text('firstValue', 'Premier numéro')
  const symbology = form.choice('symbology', 'Symbologie des codes-barres')
  const chosen = labelSymbologies.find((one) => one === symbology.value)
  return (
    <FormDialog title={site ? 'Modifier le site' : 'Ajouter un site'} form={form} onClose={onClose}>
      <TextInput required maxLength={100} {...form.text('name', 'Nom')} />
      <TextInput
        maxLength={50}
        description={inWords(
          'Celui du site dans le logiciel d’où viennent les personnes, si elles sont synchronisées.',
        )}
        {...form.text('gestit_id', 'Numéro pour la synchronisation')}
      />
      <TextInput
        maxLength={6}
        inputMode="decimal"
        autoComplete="off"
        description={`Pour le rapport annuel, comme 24 ou 37,5\u202f; vide s’il ne doit rien en dire.`}
        {...form.text('hours', 'Heures d’ouverture par semaine')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          maxLength={20}
          autoComplete="off"
          description="Il accompagne chaque numéro."
          {...siteCode}
        />
        <TextInput
          required
          maxLength={12}
          inputMode="numeric"
          autoComplete="off"
          description="Avec ses zéros, qui disent sa longueur."
          {...firstValue}
        />
      </SimpleGrid>
      <Select
        allowDeselect={false}
        data={labelSymbologies.map((value) => ({ value, label: symbologyNames[value] }))}
        description="Comment ses étiquettes s’impriment."
        {...symbology}
      />
      <NextCodes
        siteCode={siteCode.value.trim()}
        firstValue={firstValue.value.trim()}
        symbology={chosen}
        site={site}
      />
    </FormDialog>
  )
}

const typedHours = /^\d{1,3}([.,]\d{1,2})?$/

/** As somebody wrote them: « 37,5 ». */
const hoursIn = (minutes: number | null): string =>
  minutes === null ? '' : String(Math.round((minutes / 60) * 100) / 100).replace('.', ',')

const minutesOf = (hours: string): number | null =>
  hours.trim() === '' ? null : Math.round(Number(hours.trim().replace(',', '.')) * 60)

const isHours = (hours: string): boolean =>
  hours.trim() === '' || (typedHours.test(hours.trim()) && (minutesOf(hours) ?? 0) <= 7 * 24 * 60)
