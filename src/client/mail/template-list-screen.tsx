import { membersOf } from '../../contract/list.ts'
import '@mantine/core/styles/Switch.css'

import { Stack, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router-dom'

import { saveMailTemplate } from '../../contract/mail-templates.ts'
import { mailPeriodWords, occasionOf } from '../../domain/mail-occasions.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { ErrorState } from '../ui/states.tsx'
import { counted } from '../ui/words.ts'
import styles from './mail.module.css'
import { addressOfTemplate, byPeriod, type Mail, mailsOf, templatesQuery } from './template-data.ts'
import { inWords } from '../page/house-words.ts'

/** Paramètres, « Modèles de courriel »: by period, each sent or not. */
export default function TemplateListScreen() {
  const { data, error, refetch } = useQuery(templatesQuery)
  const periods = data && byPeriod(mailsOf(membersOf(data)))
  return (
    <Page title="Modèles de courriel">
      <Text c="dimmed" maw="46rem">
        {inWords(
          'Ce que la bibliothèque écrit, dans l’ordre où un prêt le rencontre. Les courriels d’échéance et de rappel partent chaque jour dès qu’ils sont activés, à l’heure que disent les paramètres généraux\u202f; un retour arrête ceux qui ne sont pas encore partis.',
        )}
      </Text>
      {periods ? (
        <Stack gap="var(--page-gap)" className={styles['wide'] ?? ''}>
          {periods.map(({ period, mails }) => (
            <PeriodPanel key={period} title={mailPeriodWords[period]} mails={mails} />
          ))}
        </Stack>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <LoadingText />
      )}
    </Page>
  )
}

function PeriodPanel({ title, mails }: { title: string; mails: readonly Mail[] }) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {inWords(title)}
      </Title>
      {mails.map((mail) => (
        <MailRow key={mail.code} mail={mail} />
      ))}
    </section>
  )
}

function MailRow({ mail: { code, enabled, days } }: { mail: Mail }) {
  const mayChange = useRight('PARAMETER_MAIL')
  const save = useChange(saveMailTemplate)
  const { name, when, days: waits } = occasionOf(code)
  return (
    <div className={styles['occasion']}>
      <div className={styles['named']}>
        <Link to={addressOfTemplate(code)}>{name}</Link>
        <Text c="dimmed" size="sm">
          {when}
          {waits && days !== null ? ` ${waits.words}\u202f: ${counted(days, 'jour', 'jours')}.` : ''}
        </Text>
      </div>
      <Switch
        aria-label={`Envoyer\u202f: ${name}`}
        label={enabled ? 'Envoyé' : 'Non envoyé'}
        checked={enabled}
        disabled={!mayChange || save.isPending}
        onChange={(event) =>
          save.mutate(
            { params: { code }, body: { enabled: event.currentTarget.checked } },
            {
              onSuccess: () => say(changesSaved, 'good', { about: name }),
              onError: (error) => sayError(error),
            },
          )
        }
      />
    </div>
  )
}
