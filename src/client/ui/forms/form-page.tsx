import { Alert, Button, Text, Title } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useState } from 'react'
import { flushSync } from 'react-dom'

import { useConfirm } from '../dialogs/confirm.tsx'
import { FormElement } from './form-element.tsx'
import styles from './form-page.module.css'
import { Page } from '../page.tsx'
import type { Form } from './use-fields.ts'
import { counted } from '../words.ts'
import { inWords } from '../../page/house-words.ts'

type FormPageProps = {
  title: string
  /** As for a `Page`. */
  isNamed?: boolean
  form: Pick<
    Form,
    'ref' | 'submit' | 'restart' | 'draft' | 'restore' | 'isPending' | 'isDirty' | 'changes' | 'problem'
  >
  /** Instead of how many fields have changed. */
  said?: string | undefined
  /** Nothing is saved before what the specification asks for is there; `said` tells what is missing. */
  isComplete?: boolean
  onLeave: () => void
  tools?: ReactNode
  /** A `nav` of its sections, beside them where there is room. */
  contents?: ReactNode
  children: ReactNode
}

/** A form as a screen, whose bar shows how much has changed, « Annuler » and « Enregistrer ». */
export function FormPage(props: FormPageProps) {
  const { title, isNamed = false, form, said, isComplete = true, onLeave, tools, contents, children } = props
  const { ref, restart, isPending, isDirty, changes, problem } = form
  const confirm = useConfirm()
  // A new key draws the fields anew, without what was typed and never read.
  const [turn, setTurn] = useState(0)
  const putBack = async () => {
    const isMeant = await confirm({
      title: changes === 1 ? 'Annuler la modification' : `Annuler les ${changes} modifications`,
      message: 'Ce qui a été saisi sera perdu. Continuer\u202f?',
      acts: 'destroys',
    })
    if (!isMeant) return
    restart()
    setTurn(turn + 1)
  }
  const saveByKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    // Sends along what the focused field has just read.
    flushSync(() => undefined)
    if (isComplete) ref.current?.requestSubmit()
  }
  return (
    <Page title={title} isNamed={isNamed} tools={tools}>
      <FormElement form={form} className={styles['form'] ?? ''} onKeyDown={saveByKeys}>
        {contents}
        <div key={turn} className={styles['sections']}>
          {children}
          {problem === null ? null : (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
        </div>
        <div className={styles['bar']}>
          <Text role="status" className={styles['count'] ?? ''} data-changed={isDirty || undefined}>
            {said ?? counted(changes, 'modification', 'modifications', 'Aucune modification')}
          </Text>
          <Button variant="default" onClick={isDirty ? () => void putBack() : onLeave}>
            Annuler
          </Button>
          <Button type="submit" disabled={!isComplete} loading={isPending} title="Enregistrer (Ctrl Entrée)">
            Enregistrer
          </Button>
        </div>
      </FormElement>
    </Page>
  )
}

type FormSectionProps = {
  /** Its place in the address, where there are several. */
  id?: string
  title: string
  about?: string
  picture?: ReactNode
  children: ReactNode
}

export function FormSection({ id, title, about, picture, children }: FormSectionProps) {
  const heading = useId()
  return (
    <section id={id} className={`panel ${styles['section']}`} aria-labelledby={heading}>
      <div className={styles['heading']}>
        {picture}
        <div>
          <Title order={2} size="h4" id={heading}>
            {inWords(title)}
          </Title>
          {about === undefined ? null : <Text c="dimmed">{inWords(about)}</Text>}
        </div>
      </div>
      {children}
    </section>
  )
}

/** Sections that come right after the first one is there to be typed in; the bar is at its place all along. */
export function LaterSections({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null
}
