import { SimpleGrid, TextInput } from '@mantine/core'

import { addSite, changeSite, type Site } from '../../contract/sites.ts'
import { useChange } from '../api/queries.ts'
import { faultsFrom } from '../ui/faults-from.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useLocalForm } from '../ui/use-local-form.ts'
import { NextCodes } from './next-codes.tsx'

type SiteFields = { name: string; gestit_id: string; siteCode: string; firstValue: string }

type SiteDialogProps = { site: Site | null; onSaved: (site: Site) => void; onClose: () => void }

/** The name and the numbering of a site; it is put in and out of service in the list. */
export function SiteDialog({ site, onSaved, onClose }: SiteDialogProps) {
  const add = useChange(addSite)
  const change = useChange(changeSite)
  const initial: SiteFields = {
    name: site?.name ?? '',
    gestit_id: site?.gestit_id ?? '',
    siteCode: site?.bar_codes_configuration.siteCode ?? '',
    firstValue: site?.bar_codes_configuration.firstValue ?? '0001',
  }
  const bodyOf = ({ name, gestit_id, siteCode, firstValue }: SiteFields) => ({
    name,
    gestit_id,
    bar_codes_configuration: { siteCode: siteCode.trim(), firstValue: firstValue.trim() },
  })
  const form = useLocalForm<SiteFields, Site>({
    initial,
    check: (values) => {
      const { name, ...others } = bodyOf(values)
      return faultsFrom(addSite.body, name === '' ? others : { ...others, name })
    },
    act: (values) => {
      const body = bodyOf(values)
      return site ? change.mutateAsync({ params: { id: site.id }, body }) : add.mutateAsync({ body })
    },
    onDone: onSaved,
  })
  const siteCode = form.text('siteCode', 'Code du site')
  const firstValue = form.text('firstValue', 'Premier numéro')
  return (
    <FormDialog title={site ? 'Modifier le site' : 'Ajouter un site'} form={form} onClose={onClose}>
      <TextInput required maxLength={100} {...form.text('name', 'Nom')} />
      <TextInput
        maxLength={50}
        description="Celui du site dans le logiciel d’où viennent les personnes, si elles sont synchronisées."
        {...form.text('gestit_id', 'Numéro pour la synchronisation')}
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
      <NextCodes siteCode={siteCode.value.trim()} firstValue={firstValue.value.trim()} site={site} />
    </FormDialog>
  )
}
