import '@mantine/core/styles/Switch.css'

import { Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

import { updateParameters } from '../../contract/settings.ts'
import { weekdays } from '../../domain/calendar-day.ts'
import { deliveredParameters, type ParameterCode, parameterFault } from '../../domain/parameters.ts'
import { recapQuestion } from '../../domain/sentences/mail.ts'
import { parametersNotSaved, parametersSaved } from '../../domain/sentences/lists.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { say } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { MailNotice } from '../mail/mail-notice.tsx'
import { MailTrial } from '../mail/mail-trial.tsx'
import { CountField } from '../ui/forms/count-field.tsx'
import { FormPage, FormSection } from '../ui/forms/form-page.tsx'
import { inWords } from '../page/house-words.ts'
import type { Form } from '../ui/forms/use-fields.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { parametersQuery } from './parameter-data.ts'
import { parameterSections, parameterWords } from './parameter-sections.ts'
import { SectionsNav } from './sections-nav.tsx'

const title = 'Paramètres généraux'

type Values = { [code in ParameterCode]: string | number | boolean }
type Known = ReadonlyMap<string, string>

/** Every parameter, saved together. */
export default function ParametersScreen() {
  const { data, error, refetch } = useQuery(parametersQuery)
  const [turn, setTurn] = useState(0)
  usePlaceOfAddress(data !== undefined)
  if (data) return <ParametersForm key={turn} known={data} onSaved={() => setTurn(turn + 1)} />
  return <UnreadScreen title={title} error={error} onRetry={refetch} />
}

const trial = { id: 'mail-trial', title: 'Courrier' }
const sections = [...parameterSections, trial]
const codes = parameterSections.flatMap((section) => section.codes)
const kindOf = (code: ParameterCode) => deliveredParameters[code].kind

const readValue = (code: ParameterCode, known: Known): string | boolean => {
  const written = known.get(code) ?? deliveredParameters[code].delivered
  return kindOf(code) === 'flag' ? written === '1' : written
}
const written = (value: string | number | boolean | null): string =>
  typeof value === 'boolean' ? (value ? '1' : '0') : String(value ?? '').trim()

function ParametersForm({ known, onSaved }: { known: Known; onSaved: () => void }) {
  const navigate = useNavigate()
  const confirm = useConfirm()
  const update = useChange(updateParameters)
  const [initial] = useState(
    () => Object.fromEntries(codes.map((code) => [code, readValue(code, known)])) as Values,
  )
  // Only what was touched is sent and checked, so that a colleague's change stays.
  const changesIn = (values: Values) =>
    codes
      .map((code) => ({ code, value: written(values[code]) }))
      .filter(({ code, value }) => value !== written(initial[code]))
  const form = useLocalForm<Values, boolean>({
    about: 'parameters',
    initial,
    check: (values) =>
      Object.fromEntries(
        changesIn(values).flatMap(({ code, value }) => {
          const fault = parameterFault(code, value)
          return fault === null ? [] : [[code, fault]]
        }),
      ),
    act: async (values) => {
      const changes = changesIn(values)
      const isRecap = changes.some(({ code, value }) => code === 'recap_email' && value === '1')
      if (
        isRecap &&
        !(await confirm({ title: 'Envoyer le récapitulatif', message: recapQuestion, acts: 'sends' }))
      )
        return false
      try {
        await update.mutateAsync({ body: changes })
      } catch (error) {
        const about = error instanceof CallError ? error.message : undefined
        say(parametersNotSaved, 'bad', { about })
        throw error
      }
      return true
    },
    onDone: (isDone) => {
      if (!isDone) return
      release()
      say(parametersSaved)
      onSaved()
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  const isWrong = (code: ParameterCode) =>
    form.whole(code, deliveredParameters[code].label).error !== undefined
  const wrong = parameterSections.filter((section) => section.codes.some(isWrong))
  return (
    <FormPage
      title={title}
      form={form}
      onLeave={() => void navigate('/settings')}
      contents={<SectionsNav sections={sections} wrong={wrong.map(({ id }) => id)} />}
    >
      {parameterSections.map((section) => (
        <FormSection key={section.id} id={section.id} title={section.title}>
          {section.codes.map((code) => (
            <div key={code} id={code}>
              <ParameterField code={code} form={form} />
            </div>
          ))}
        </FormSection>
      ))}
      <FormSection {...trial}>
        <MailNotice />
        <MailTrial />
      </FormSection>
    </FormPage>
  )
}

/** Brings in sight what the address names: a section, or the parameter that was searched for. */
function usePlaceOfAddress(isRead: boolean): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (!isRead || hash === '') return
    bringInSight(hash.slice(1))
    // A link to where one is already leaves the address as it is.
    const again = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('a')?.hash === hash) bringInSight(hash.slice(1))
    }
    addEventListener('click', again)
    return () => removeEventListener('click', again)
  }, [hash, isRead])
}

/** The focus goes to the head of a section, or to the field of a parameter. */
function bringInSight(id: string): void {
  const place = document.getElementById(id)
  const heading = place?.matches('section') ? place.querySelector('h2') : null
  if (heading) heading.tabIndex = -1
  const held = heading ?? place?.querySelector('input')
  if (heading) place?.scrollIntoView()
  else held?.scrollIntoView({ block: 'center' })
  held?.focus({ preventScroll: true })
}

const choiceWords: Record<string, string> = {
  START: 'Au début',
  END: 'À la fin',
  ...Object.fromEntries(weekdays.map((name, at) => [String(at + 1), name])),
}

function ParameterField({ code, form }: { code: ParameterCode; form: Form<ParameterCode> }) {
  const row = deliveredParameters[code]
  const description = inWords(parameterWords[code])
  switch (row.kind) {
    case 'flag':
      return <Switch description={description} {...form.flag(code, row.label)} />
    case 'number':
      return (
        <CountField
          required
          description={description}
          from={'orZero' in row ? 0 : row.from}
          to={row.to}
          {...form.number(code, row.label)}
        />
      )
    case 'choice':
      return (
        <Select
          allowDeselect={false}
          description={description}
          data={row.choices.map((value) => ({ value, label: choiceWords[value] ?? value }))}
          {...form.choice(code, row.label)}
        />
      )
    case 'text':
      return <TextInput required maxLength={1000} description={description} {...form.text(code, row.label)} />
  }
}
