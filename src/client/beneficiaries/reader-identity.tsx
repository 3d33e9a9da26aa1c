import { Anchor, Button, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { type Beneficiary } from '../../contract/beneficiaries.ts'
import { updateBeneficiary } from '../../contract/beneficiary-changes.ts'
import { readerKindNames } from '../../domain/age-bands.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import { fullName } from '../../domain/person-names.ts'
import { readerNumberSaved } from '../../domain/sentences/readers.ts'
import { useRight } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { cardAdvice } from '../ui/bars-advice.ts'
import { Facts, FactsOf } from '../ui/facts.tsx'
import { FormElement } from '../ui/forms/form-element.tsx'
import { ScanField } from '../ui/forms/scan-field.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { useRestart } from '../ui/forms/use-restart.ts'
import { beneficiaryQuery } from './beneficiary-data.ts'
import { ReaderChangedSince } from './reader-changed-since.tsx'
import styles from './reader-view.module.css'

/** Who a reader is; what is not known, or not for this person, is left out. */
export function ReaderIdentity({ reader }: { reader: Beneficiary }) {
  const isMultisite = useIsMultisite()
  const mayEdit = useRight('BENEFICIARY_EDIT')
  const { email, phone, address, commune, wallet_amount, displayed } = reader
  const own = (tab: 'personal' | 'professional') =>
    displayed.filter((one) => one.tab === tab).map(({ name, value }): [string, string] => [name, value])
  const personal = own('personal')
  const professional = own('professional')
  const contact: Parameters<typeof Facts>[0]['facts'] = [
    [
      'Courriel',
      email ? (
        <Anchor key="email" inherit href={`mailto:${email}`}>
          {email}
        </Anchor>
      ) : null,
    ],
    ['Téléphone', phone],
    ['Adresse', address],
    ['Commune', commune],
  ]
  const hasContact = [email, phone, address, commune].some(Boolean)
  return (
    <>
      {mayEdit ? <ReaderNumber reader={reader} /> : null}
      <FactsOf>
        <Facts
          title="Inscription"
          facts={[
            ['Type', reader.kind === 'person' ? null : readerKindNames[reader.kind]],
            ['Matricule', reader.matricule],
            ['Nom', reader.lastname],
            ['Prénom', reader.firstname],
            ['Année de naissance', reader.birth_year === null ? null : String(reader.birth_year)],
            ['Numéro de lecteur', mayEdit ? null : reader.reader_id],
            ['Contrat', reader.contract_type],
            ['Statut', reader.beneficiary_status],
            ['Dossiers', reader.dossiers.join(', ')],
            ['Site', isMultisite ? reader.agency : null],
            ['Date de sortie', reader.exit_date && frenchDay(reader.exit_date)],
            [
              'Porte-monnaie',
              wallet_amount !== null && Number(wallet_amount) >= 0 ? frenchMoney(wallet_amount) : null,
            ],
          ]}
        />
        {hasContact ? <Facts title="Contact" facts={contact} /> : null}
        {personal.length > 0 ? <Facts title="Personnel" facts={personal} /> : null}
        {professional.length > 0 ? <Facts title="Professionnel" facts={professional} /> : null}
      </FactsOf>
    </>
  )
}

function ReaderNumber({ reader }: { reader: Beneficiary }) {
  const client = useQueryClient()
  const [turn, restart] = useRestart(() =>
    client.refetchQueries({ queryKey: beneficiaryQuery(reader.id).queryKey }),
  )
  return <NumberForm key={turn} reader={reader} onRestart={() => void restart()} />
}

/** The number of a reader's card, kept by Enter. */
function NumberForm({ reader, onRestart }: { reader: Beneficiary; onRestart: () => void }) {
  const [opened, setOpened] = useState(reader)
  const [version, setVersion] = useState(reader.version)
  const follow = (other: Beneficiary) => {
    setOpened(other)
    setVersion(other.version)
  }
  const form = useForm(updateBeneficiary, {
    initial: { number: reader.reader_id ?? '' },
    fixed: { version },
    params: { id: reader.id },
    staysOpen: true,
    onSaved: (saved) => {
      follow(saved)
      say(readerNumberSaved, 'good', { about: fullName(reader) })
    },
  })
  const number = form.text('number', 'Numéro de lecteur')
  // The page shows what others change meanwhile, so the form follows it while nothing is typed here.
  const [seen, setSeen] = useState(reader.version)
  if (seen !== reader.version) {
    setSeen(reader.version)
    if (!form.isDirty && number.value === (reader.reader_id ?? '')) follow(reader)
  }
  return (
    <section className="panel">
      <Title order={2} size="h4">
        Carte
      </Title>
      <FormElement form={form} className={styles['number'] ?? ''}>
        <ScanField
          {...number}
          {...cardAdvice(number.value)}
          placeholder="Scannez la carte"
          onScan={(code) => form.write('number', code)}
        />
        {form.isDirty ? (
          <Button type="submit" loading={form.isPending}>
            Enregistrer
          </Button>
        ) : null}
      </FormElement>
      {form.problem === null ? null : (
        <p role="alert" className={styles['problem']}>
          {form.problem}
        </p>
      )}
      <ReaderChangedSince
        error={form.error}
        opened={opened}
        version={version}
        onTakeOver={setVersion}
        onGiveUp={onRestart}
      />
    </section>
  )
}
