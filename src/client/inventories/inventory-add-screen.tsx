import { asChoice } from '../ui/forms/as-choice.ts'
import { membersOf } from '../../contract/list.ts'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'

import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'

import { inventories } from '../../contract/inventories.ts'
import { locations } from '../../contract/locations.ts'
import { listQuery } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { categoriesQuery } from '../catalogue/list-queries.ts'
import { say } from '../page/messages.ts'
import { FormPage, FormSection } from '../ui/forms/form-page.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { addressOfInventory } from './inventory-words.ts'

const month = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric' })

/** What is counted: a site, and of it what is chosen. */
export default function InventoryAddScreen() {
  const navigate = useNavigate()
  const session = useSession()
  const sites = session?.user?.sites ?? []
  // Zero is every site.
  const site = session?.site?.id || (sites.length === 1 ? sites[0]?.id : undefined)
  const places = useQuery(
    listQuery(locations.list, { limit: 500, order: [{ field: 'label', direction: 'asc' }] }),
  )
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: media = [] } = useQuery(mediaQuery)
  const form = useForm(inventories.add, {
    initial: {
      name: `Inventaire de ${month.format(Date.now())}`,
      ...(site === undefined ? {} : { site }),
      locations: [],
      categories: [],
      media: [],
    },
    onSaved: (inventory) => {
      release()
      say('Inventaire commencé.', 'good', { about: inventory.name })
      void navigate(addressOfInventory(inventory), { replace: true })
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  const { text, choice, several } = form
  return (
    <FormPage
      title="Nouvel inventaire"
      form={form}
      said="Rien ne change avant la fin"
      onLeave={() => void navigate('/inventories')}
    >
      <FormSection title="L’inventaire">
        <TextInput required maxLength={100} {...text('name', 'Nom')} />
        <Select required allowDeselect={false} data={sites.map(asChoice)} {...choice('site', 'Site')} />
      </FormSection>
      <FormSection title="Ce qui est compté" about="Tout le site, ou seulement ce que vous choisissez ici.">
        <MultiSelect
          searchable
          placeholder="Tous"
          data={(membersOf(places.data) ?? []).map(({ id, label }) => ({ value: String(id), label }))}
          {...several('locations', 'Emplacements')}
        />
        <MultiSelect
          searchable
          placeholder="Toutes"
          data={categories.map(asChoice)}
          {...several('categories', 'Catégories')}
        />
        <MultiSelect
          searchable
          placeholder="Tous"
          data={media.map(asChoice)}
          {...several('media', 'Supports')}
        />
      </FormSection>
    </FormPage>
  )
}
