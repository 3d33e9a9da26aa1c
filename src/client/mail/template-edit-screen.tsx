import { membersOf } from '../../contract/list.ts'
import '@mantine/core/styles/Switch.css'

import { Button, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'

import { saveMailTemplate } from '../../contract/mail-templates.ts'
import {
  isMailCode,
  mailParts,
  type MailPart,
  mailPartWords,
  occasionOf,
} from '../../domain/mail-occasions.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useRight } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { FormPage, FormSection } from '../ui/forms/form-page.tsx'
import { Page } from '../ui/page.tsx'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { type Mail, mailsOf, templatesQuery } from './template-data.ts'
import { TemplateField } from './template-field.tsx'
import { TemplatePreview } from './template-preview.tsx'

const addressOfList = '/settings/email_templates'

/** One mail: its object, body, details and signing. */
export default function TemplateEditScreen() {
  const { template = '' } = useParams()
  const { data, error, refetch } = useQuery(templatesQuery)
  const mayChange = useRight('PARAMETER_MAIL')
  const [turn, setTurn] = useState(0)
  const mail = data && mailsOf(membersOf(data)).find(({ code }) => code === template)
  if (mail) {
    return mayChange ? (
      <TemplateForm key={`${mail.code} ${turn}`} mail={mail} onSaved={() => setTurn(turn + 1)} />
    ) : (
      <ReadTemplate mail={mail} />
    )
  }
  if (!data && !error) return <ScreenSkeleton />
  return (
    <Page title={isMailCode(template) ? occasionOf(template).name : 'Modèle de courriel'}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <EmptyState message="Ce modèle de courriel n’existe pas." />
      )}
    </Page>
  )
}

const aboutParts: Partial<Record<MailPart, string>> = {
  object: 'La ligne que montre la boîte aux lettres.',
  details: 'Ce qui est propre à ce courriel, comme la liste des prêts.',
}

function TemplateForm({ mail, onSaved }: { mail: Mail; onSaved: () => void }) {
  const { code, parts } = mail
  const { name, when, about, days } = occasionOf(code)
  const navigate = useNavigate()
  // What a colleague changes meanwhile does not move under the hands.
  const [initial] = useState({
    ...parts,
    enabled: mail.enabled,
    ...(days ? { days: mail.days ?? days.delivered } : {}),
  })
  const [preview, setPreview] = useState(false)
  const form = useForm(saveMailTemplate, {
    params: { code },
    initial,
    onSaved: () => {
      release()
      say(changesSaved, 'good', { about: name })
      onSaved()
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  return (
    <FormPage
      title={name}
      form={form}
      onLeave={() => void navigate(addressOfList)}
      tools={<PreviewButton onPress={() => setPreview(true)} />}
    >
      <FormSection title="Envoi" about={when}>
        <Switch {...form.flag('enabled', 'Ce courriel est envoyé')} />
        {days ? <CountField required from={days.from} to={365} {...form.number('days', days.words)} /> : null}
      </FormSection>
      <FormSection
        title="Texte"
        about="«&nbsp;Insérer&nbsp;» met ce qui change d’un lecteur à l’autre, comme son prénom."
      >
        {mailParts.map((part) => {
          const { value, label, error } = form.text(part, mailPartWords[part])
          const description = aboutParts[part]
          return (
            <TemplateField
              key={part}
              label={label}
              error={error}
              {...(description === undefined ? {} : { description })}
              about={about}
              isLine={part === 'object'}
              required={part === 'object'}
              value={value}
              onChange={(content) => form.write(part, content)}
            />
          )
        })}
      </FormSection>
      {preview ? (
        <TemplatePreview
          code={code}
          name={name}
          written={Object.fromEntries(
            mailParts.map((part) => [part, form.text(part, mailPartWords[part]).value]),
          )}
          onClose={() => setPreview(false)}
        />
      ) : null}
    </FormPage>
  )
}

function ReadTemplate({ mail: { code, enabled } }: { mail: Mail }) {
  const { name, when } = occasionOf(code)
  const [preview, setPreview] = useState(false)
  return (
    <Page title={name} tools={<PreviewButton onPress={() => setPreview(true)} />}>
      <div className="panel">
        <Text>{when}</Text>
        <Text>{enabled ? 'Ce courriel est envoyé.' : 'Ce courriel n’est pas envoyé.'}</Text>
        <Text c="dimmed">Vous pouvez le lire, et non le changer.</Text>
      </div>
      {preview ? (
        <TemplatePreview code={code} name={name} written={{}} onClose={() => setPreview(false)} />
      ) : null}
    </Page>
  )
}

function PreviewButton({ onPress }: { onPress: () => void }) {
  return (
    <Button variant="default" leftSection={<IconEye size="1.2em" aria-hidden />} onClick={onPress}>
      Aperçu
    </Button>
  )
}
