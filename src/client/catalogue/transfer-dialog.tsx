import { Alert, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Copy } from '../../contract/catalogue.ts'
import { inWords } from '../page/house-words.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { counted } from '../ui/words.ts'

type TransferDialogProps = {
  copies: readonly Copy[]
  onConfirm: (site: number) => Promise<unknown>
  onClose: () => void
}

/** Where copies are sent; what a reader waits for is said, and sent all the same. */
export default function TransferDialog({ copies, onConfirm, onClose }: TransferDialogProps) {
  const { data: sites = [] } = useQuery(enabledSitesQuery)
  const form = useLocalForm({
    about: `transfer of copies ${copies.map(({ id }) => id).join()}`,
    initial: { site: '' },
    check: ({ site }) => (site === '' ? { site: 'Choisissez le site où il est envoyé.' } : {}),
    act: ({ site }) => onConfirm(Number(site)),
    onDone: onClose,
  })
  const [only] = copies.length === 1 ? copies : []
  const homes = new Set(copies.map(({ site }) => site))
  const others = sites.filter(({ id }) => !(homes.size === 1 && homes.has(id)))
  const awaited = copies.filter(({ reservations }) => reservations.length > 0)
  return (
    <FormDialog
      title={
        only
          ? `Transférer l’exemplaire ${only.bar_code}`
          : `Transférer ${counted(copies.length, 'exemplaire', 'exemplaires')}`
      }
      submitLabel="Transférer"
      form={form}
      onClose={onClose}
    >
      <Text>
        {only ? (
          <>
            «&nbsp;{only.name}&nbsp;», de {only.site_name}.{' '}
          </>
        ) : null}
        {inWords(
          'En transfert, un exemplaire ne se prête pas, jusqu’à ce que le site de destination confirme son arrivée.',
        )}
      </Text>
      {awaited.length > 0 ? (
        <Alert color="yellow" role="note">
          {only
            ? inWords('Une réservation attend ce titre.')
            : `${counted(awaited.length, 'titre est réservé', 'titres sont réservés')}\u202f: ${awaited
                .slice(0, 3)
                .map(({ name }) => name)
                .join(', ')}${awaited.length > 3 ? '…' : ''}.`}
        </Alert>
      ) : null}
      <Select
        {...form.choice('site', 'Site de destination')}
        required
        allowDeselect={false}
        data={others.map(asChoice)}
      />
    </FormDialog>
  )
}
