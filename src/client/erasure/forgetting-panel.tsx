import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconCheck, IconPlayerPause } from '@tabler/icons-react'
import { Link } from 'react-router-dom'

import {
  agreeToForgetting,
  type ForgettingDay,
  type PersonalData,
  suspendForgetting,
} from '../../contract/personal-data.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { Facts } from '../ui/facts.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import { inWords } from '../page/house-words.ts'

/** The yes that the nightly forgetting waits for, and what each day did since. */
export function ForgettingPanel({ data }: { data: PersonalData }) {
  const { agreed, suspended, lapsed_since, retention_months, linked_loans, forgotten_before, days } = data
  const confirm = useConfirm()
  const agree = useChange(agreeToForgetting)
  const suspend = useChange(suspendForgetting)
  const ask = async () => {
    const isSure = await confirm({
      title: 'Accorder l’oubli des prêts\u202f?',
      message: `Dans quelques minutes, puis chaque nuit, les prêts finis depuis plus de ${retention_months} mois perdront leur lecteur, leur proche et leurs commentaires, et avec eux ce qu’en disent le journal, les réservations passées, les courriels et les lettres. ${
        linked_loans === 0
          ? ''
          : `${counted(linked_loans, 'prêt est concerné', 'prêts sont concernés')} aujourd’hui. `
      }Les statistiques ne changent pas. Ce qui est oublié l’est pour toujours, et l’accord vaut pour tous les sites.`,
      acts: 'destroys',
    })
    if (!isSure) return
    await agree.mutateAsync({}).then(
      () => say('Oubli des prêts accordé.', 'good'),
      (refused: unknown) => sayError(refused, 'L’accord n’a pas pu être enregistré.'),
    )
  }
  const askToSuspend = async () => {
    const isSure = await confirm({
      title: 'Suspendre l’oubli des prêts\u202f?',
      message:
        'Plus rien n’est oublié jusqu’à un nouvel accord\u202f: les prêts finis restent liés à leur lecteur au-delà du délai que vous annoncez. Ce qui est déjà oublié ne revient pas. Cela vaut pour tous les sites.',
    })
    if (!isSure) return
    await suspend.mutateAsync({}).then(
      () => say('Oubli des prêts suspendu.', 'good'),
      (refused: unknown) => sayError(refused, 'L’oubli n’a pas pu être suspendu.'),
    )
  }
  const delay = (
    <Anchor component={Link} to="/settings/global" inherit underline="always">
      {`${retention_months} mois`}
    </Anchor>
  )
  return (
    <>
      <section className="panel">
        <Group justify="space-between" gap="xs" mb="xs">
          <Title order={2} size="h4">
            {inWords('Oubli des prêts')}
          </Title>
          {agreed ? (
            <StatusTag tone="good">Accordé</StatusTag>
          ) : suspended ? (
            <StatusTag tone="warn">Suspendu</StatusTag>
          ) : (
            <StatusTag tone="wait">Attend votre accord</StatusTag>
          )}
        </Group>
        <Text>
          {agreed ? 'Chaque nuit, les' : 'Chaque nuit, une fois accordé, les'} prêts finis depuis plus de{' '}
          {delay} sont coupés de leur lecteur&#8239;: personne ne peut plus lire qui avait emprunté quoi, et
          les statistiques restent exactes.
        </Text>
        <Text mt="xs">
          {linked_loans === 0
            ? `Aucun prêt fini avant le ${frenchDay(forgotten_before)} n’est encore lié à son lecteur.`
            : `${counted(linked_loans, 'prêt fini', 'prêts finis')} avant le ${frenchDay(forgotten_before)} ${linked_loans === 1 ? 'est encore lié à son lecteur' : 'sont encore liés à leur lecteur'}.`}
        </Text>
        {agreed ? (
          <Text mt="xs" c="dimmed">{`Accordé par ${agreed.who}, ${frenchInstant(agreed.at)}.`}</Text>
        ) : suspended ? (
          <Text mt="xs" c="dimmed">{`Suspendu par ${suspended.who}, ${frenchInstant(suspended.at)}.`}</Text>
        ) : null}
        {lapsed_since === null ? null : (
          <Text mt="xs">
            {`Aucun passage depuis le ${frenchDay(lapsed_since)}\u202f: votre accord est redemandé, au cas où l’horloge du serveur aurait avancé. Si la date d’aujourd’hui est juste, accordez de nouveau.`}
          </Text>
        )}
        <Group mt="sm">
          {agreed ? (
            <Button
              variant="default"
              leftSection={<IconPlayerPause size="1.2em" aria-hidden />}
              loading={suspend.isPending}
              onClick={() => void askToSuspend()}
            >
              Suspendre
            </Button>
          ) : (
            <Button
              leftSection={<IconCheck size="1.2em" aria-hidden />}
              loading={agree.isPending}
              onClick={() => void ask()}
            >
              Accorder
            </Button>
          )}
        </Group>
      </section>
      {agreed || days.length > 0 ? (
        <Facts
          title="Les derniers jours"
          facts={days.map((one) => [frenchDay(one.day), doneOn(one)])}
          otherwise="Le premier passage se fait dans quelques minutes."
        />
      ) : null}
    </>
  )
}

function doneOn({ readers, loans, reservations, mails, journal_lines, ended_at }: ForgettingDay): string {
  const did = [
    loans > 0 ? `${counted(loans, 'prêt', 'prêts')} de ${counted(readers, 'lecteur', 'lecteurs')}` : null,
    reservations > 0 ? counted(reservations, 'réservation', 'réservations') : null,
    mails > 0 ? counted(mails, 'courriel', 'courriels') : null,
    journal_lines > 0 ? counted(journal_lines, 'ligne du journal', 'lignes du journal') : null,
  ].filter((part) => part !== null)
  const words = did.length === 0 ? 'rien à oublier' : did.join(', ')
  return ended_at === null ? `en cours\u202f: ${words}` : words
}
