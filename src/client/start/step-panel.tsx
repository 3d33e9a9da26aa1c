import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'

import type { StartStep } from '../../domain/start-steps.ts'
import { sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { FormElement } from '../ui/forms/form-element.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import { unsaved, useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { isStepLeft, useMarkStep } from './start-data.ts'
import { addressOfPlace, places } from './start-words.ts'
import styles from './start.module.css'

type StepPanelProps = {
  step: StartStep
  title: string
  about: string
  form: Pick<Form, 'ref' | 'submit' | 'draft' | 'restore' | 'isPending' | 'isDirty' | 'problem'>
  onDone: () => void
  /** Instead of « Continuer ». */
  submitLabel?: string
  isWide?: boolean
  /** Where the profile does not let one do it, it can only be put off. */
  isOthers?: boolean
  children: ReactNode
}

/** One step: what is saved by « Continuer », or put off by « Plus tard ». */
export function StepPanel({
  step,
  title,
  about,
  form,
  onDone,
  submitLabel,
  isWide,
  isOthers = false,
  children,
}: StepPanelProps) {
  const mark = useMarkStep()
  const [isLeaving, setLeaving] = useState(false)
  const confirm = useConfirm()
  const { isDirty } = form
  useUnsavedGuard(isDirty, unsaved, isStepLeft)
  const heading = useStepHeading()
  // After the heading's own; where fingers type, the keyboard would cover what the step is about.
  useEffect(() => {
    if (!matchMedia('(pointer: fine)').matches) return
    const fields = form.ref.current?.querySelectorAll<HTMLElement>('input:not([type="hidden"], :disabled)')
    fields?.[0]?.focus({ preventScroll: true })
  }, [form.ref])
  const id = useId()
  const before = places[places.findIndex(({ place }) => place === step) - 1]
  const later = async () => {
    if (isDirty && !(await confirm({ ...unsaved, acts: 'destroys' }))) return
    setLeaving(true)
    try {
      await mark(step, 'later')
      onDone()
    } catch (error) {
      sayError(error)
    } finally {
      setLeaving(false)
    }
  }
  return (
    <section className={`panel ${styles['step']}`} data-wide={isWide || undefined} aria-labelledby={id}>
      <FormElement form={form}>
        <Stack gap="lg">
          <div>
            <Title order={2} size="h3" id={id} ref={heading} tabIndex={-1}>
              {title}
            </Title>
            <Text c="dimmed">{about}</Text>
          </div>
          {children}
          {form.problem === null ? null : (
            <Alert color="red" role="alert">
              {form.problem}
            </Alert>
          )}
          <Group justify="space-between" className={styles['buttons'] ?? ''}>
            <Group>
              {before ? (
                <Button
                  component={Link}
                  to={addressOfPlace(before.place)}
                  variant="subtle"
                  leftSection={<IconArrowLeft size="1.2em" aria-hidden />}
                >
                  Précédent
                </Button>
              ) : null}
              <Button variant="default" loading={isLeaving} onClick={() => void later()}>
                Plus tard
              </Button>
            </Group>
            {isOthers ? null : (
              <Button type="submit" loading={form.isPending}>
                {submitLabel ?? 'Continuer'}
              </Button>
            )}
          </Group>
        </Stack>
      </FormElement>
    </section>
  )
}

/** The heading takes the focus when another step comes in place of the one that had it. */
export function useStepHeading() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return heading
}
