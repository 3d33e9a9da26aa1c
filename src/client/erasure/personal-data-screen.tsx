import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCopy, IconPrinter, IconUserOff } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'

import { totalOf } from '../../contract/list.ts'
import { getPersonalData, inactiveReaders, type PersonalData } from '../../contract/personal-data.ts'
import { mayErase } from '../../domain/erasing.ts'
import { noticeOf, plainText, type PrivacyText, registerOf } from '../../domain/privacy-texts.ts'
import { call } from '../api/call.ts'
import { listQuery } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { copyText } from '../ui/copy-text.ts'
import { Page } from '../ui/page.tsx'
import { PrintSheet } from '../ui/print-sheet.tsx'
import { printOut } from '../ui/printing.ts'
import { counted } from '../ui/words.ts'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { ForgettingPanel } from './forgetting-panel.tsx'

/** A text that the library makes its own: read, copied or printed. */
function PrivacyTextPanel({ text, about }: { text: PrivacyText; about: string }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const print = () =>
    printOut(
      <PrintSheet paper="upright" title={text.title}>
        <h1>{text.title}</h1>
        <Parts text={text} />
      </PrintSheet>,
    )
  return (
    <section className="panel">
      <Title order={2} size="h4" mb="xs">
        {text.title}
      </Title>
      <Text>{about}</Text>
      <Group mt="sm">
        <Button variant="default" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Replier' : 'Lire'}
        </Button>
        {/* Browsers give no clipboard to pages that come without HTTPS. */}
        {'clipboard' in navigator ? (
          <Button
            variant="default"
            leftSection={<IconCopy size="1.2em" aria-hidden />}
            onClick={() => void copyText(plainText(text), 'Texte copié.')}
          >
            Copier
          </Button>
        ) : null}
        <Button variant="default" leftSection={<IconPrinter size="1.2em" aria-hidden />} onClick={print}>
          Imprimer
        </Button>
      </Group>
      <div id={id}>{isOpen ? <Parts text={text} /> : null}</div>
    </section>
  )
}

const Parts = ({ text: { parts } }: { text: PrivacyText }) =>
  parts.map(({ title, lines }) => (
    <div key={title}>
      <Title order={3} size="h5" mt="md">
        {title}
      </Title>
      {lines.map((line) => (
        <Text key={line} mt="0.25rem">
          {line}
        </Text>
      ))}
    </div>
  ))

const title = 'Données personnelles'

/** A day is done in the background, some minutes after it was agreed to. */
const again = 30_000

const personalDataQuery = queryOptions({
  queryKey: ['personal_data'],
  queryFn: ({ signal }) => call(getPersonalData, { signal }),
  refetchInterval: ({ state }) => (state.data?.agreed && state.data.linked_loans > 0 ? again : false),
})

/** What is kept of readers, for how long, and what is forgotten. */
export default function PersonalDataScreen() {
  const { data, error, refetch } = useQuery(personalDataQuery)
  if (!data) return <UnreadScreen title={title} error={error} onRetry={refetch} />
  return (
    <Page title={title}>
      <Stack maw="46rem">
        <ForgettingPanel data={data} />
        <InactivePanel data={data} />
        <PrivacyTextPanel
          text={registerOf(data)}
          about="Ce que la loi vous demande de tenir, avec vos délais et vos profils. Ce qui est entre crochets est à remplir."
        />
        <PrivacyTextPanel
          text={noticeOf(data)}
          about="Ce que vos lecteurs doivent savoir, à afficher ou à remettre. Ce qui est entre crochets est à remplir."
        />
        <section className="panel">
          <Title order={2} size="h4" mb="xs">
            Sauvegardes
          </Title>
          <Text>
            Une sauvegarde garde ce qui n’était pas encore oublié le jour où elle a été faite&#8239;: ne les
            gardez pas plus longtemps qu’il ne faut. Reprise, elle ramène ce qu’elle contenait, et l’oubli
            recommence le jour même si l’accord y était&#8239;; les lecteurs effacés depuis sont à effacer de
            nouveau.
          </Text>
        </section>
      </Stack>
    </Page>
  )
}

/** How many readers may be let go, for whoever may erase them. */
function InactivePanel({ data: { retention_inactive_months: months } }: { data: PersonalData }) {
  const rights = useSession()?.user?.rights ?? []
  const may = mayErase(new Set(rights))
  const { data } = useQuery({ ...listQuery(inactiveReaders.list, { limit: 1 }), enabled: may && months > 0 })
  const total = totalOf(data)
  return (
    <section className="panel">
      <Title order={2} size="h4" mb="xs">
        {inWords('Lecteurs sans prêt ni retour depuis longtemps')}
      </Title>
      {months === 0 ? (
        <Text>
          Aucun lecteur n’est proposé à l’effacement&#8239;: le délai est à zéro dans les{' '}
          <Anchor component={Link} to="/settings/global" inherit underline="always">
            paramètres généraux
          </Anchor>
          .
        </Text>
      ) : (
        <Text>
          {`Qui n’a rien emprunté, prolongé ni rendu depuis ${months} mois, n’a rien à rendre et n’attend rien est proposé à l’effacement. Rien ne s’efface seul.`}
        </Text>
      )}
      {may && months > 0 ? (
        <Group mt="sm" mih="2.75rem">
          {total === undefined ? null : total === 0 ? (
            <Text c="dimmed">Aucun lecteur n’est à effacer aujourd’hui.</Text>
          ) : (
            <Button
              component={Link}
              to="/settings/personal_data/inactive"
              variant="default"
              leftSection={<IconUserOff size="1.2em" aria-hidden />}
            >
              {`Voir ${counted(total, 'lecteur proposé', 'lecteurs proposés')}`}
            </Button>
          )}
        </Group>
      ) : null}
      {may || months === 0 ? null : (
        <Text mt="sm" c="dimmed">
          Pour les voir, il faut aussi les droits de modifier les lecteurs et de voir leur historique.
        </Text>
      )}
    </section>
  )
}
