import { Button, Group, Text, Title } from '@mantine/core'
import { IconDownload, IconEraser, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

import { type Beneficiary, getBeneficiary } from '../../contract/beneficiaries.ts'
import { eraseBeneficiary, getReaderData } from '../../contract/beneficiary-changes.ts'
import { frenchMoney } from '../../domain/money.ts'
import { fullName } from '../../domain/person-names.ts'
import { heldByLoans, mayErase } from '../../domain/erasing.ts'
import { call } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { searchOfList } from '../ui/lists/open-detail.ts'
import { saveFile } from '../ui/save-file.ts'

/** What a reader may ask for: a copy of what is kept of them, or to be erased. */
export default function ReaderDataPart({ reader }: { reader: Beneficiary }) {
  const rights = useSession()?.user?.rights ?? []
  const [making, setMaking] = useState<'json' | 'pdf' | null>(null)
  const make = (export_type: 'json' | 'pdf') => {
    setMaking(export_type)
    void call(getReaderData, { params: { id: reader.id }, query: { export_type } })
      .then(saveFile, (error: unknown) => sayError(error, 'Le fichier n’a pas pu être fait.'))
      .finally(() => setMaking(null))
  }
  return (
    <>
      <section className="panel">
        <Title order={2} size="h4" mb="xs">
          Copie de ses données
        </Title>
        <Text>
          Identité, proches, prêts encore liés à son nom, réservations, ventes, courriels et journal, selon
          vos droits&#8239;: à remettre à qui le demande. Le journal note que la copie a été faite.
        </Text>
        <Group mt="sm">
          <Button
            variant="default"
            leftSection={<IconPrinter size="1.2em" aria-hidden />}
            loading={making === 'pdf'}
            onClick={() => make('pdf')}
          >
            À imprimer (pdf)
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size="1.2em" aria-hidden />}
            loading={making === 'json'}
            onClick={() => make('json')}
          >
            Pour un logiciel (json)
          </Button>
        </Group>
      </section>
      {mayErase(new Set(rights)) ? <Erasing reader={reader} /> : null}
    </>
  )
}

function Erasing({ reader }: { reader: Beneficiary }) {
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { search } = useLocation()
  const erase = useChange(eraseBeneficiary)
  const name = fullName(reader)
  const { wallet_amount } = reader
  const ask = async () => {
    // As it is now: a loan may have come back since this page was read.
    const { open_loans } = await call(getBeneficiary, { params: { id: reader.id } })
    if (open_loans > 0) return void say(heldByLoans(name, open_loans), 'bad')
    const isSure = await confirm({
      title: `Effacer ${name}\u202f?`,
      message: `Rien ne nommera plus cette personne. ${
        wallet_amount === null || Number(wallet_amount) === 0
          ? ''
          : `Son porte-monnaie n’est pas vide (${frenchMoney(wallet_amount)}). `
      }Un effacement ne s’annule pas.`,
      acts: 'destroys',
    })
    if (!isSure) return
    await erase.mutateAsync({ params: { id: reader.id } }).then(
      () => {
        say('Lecteur effacé.', 'good')
        void navigate(`/beneficiaries${searchOfList(search)}`, { replace: true })
      },
      (refused: unknown) => sayError(refused),
    )
  }
  return (
    <section className="panel">
      <Title order={2} size="h4" mb="xs">
        Effacer ce lecteur
      </Title>
      <Text>
        Sa fiche, ses proches, ses réservations, ses courriels et ce que le journal dit de lui sont effacés,
        et ses prêts passés perdent son nom. Restent, sans nom&#8239;: les statistiques, et pour les comptes
        le jour, le titre et le montant de ses ventes. Il faut d’abord que tout soit rendu et que rien ne soit
        réservé.
      </Text>
      <Group mt="sm">
        <Button
          color="red"
          variant="outline"
          leftSection={<IconEraser size="1.2em" aria-hidden />}
          loading={erase.isPending}
          onClick={() => void ask().catch((error: unknown) => sayError(error))}
        >
          Effacer ce lecteur
        </Button>
      </Group>
    </section>
  )
}
