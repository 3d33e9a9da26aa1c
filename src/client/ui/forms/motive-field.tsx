import { Button, Group, Textarea } from '@mantine/core'
import { useEffect } from 'react'

import { inWords } from '../../page/house-words.ts'
import { FormElement } from './form-element.tsx'
import { showAtOnce } from '../in-sight.ts'
import { useLocalForm } from './use-local-form.ts'

export type MotiveAsked = {
  act: string
  /** What it is done to. */
  of: string
  /** The motive to begin with, such as the one just given for another copy. */
  motive?: string | undefined
}

type MotiveFieldProps = MotiveAsked & { onConfirm: (motive: string) => void; onClose: () => void }

/** Enter is a new line in it, because a scan that ends in it must grant nothing. */
export default function MotiveField({ act, of, motive = '', onConfirm, onClose }: MotiveFieldProps) {
  const form = useLocalForm({
    about: `${act} ${of}`,
    initial: { motive },
    check: ({ motive: written }) =>
      written.trim() === '' ? { motive: inWords('Écrivez pourquoi ce prêt est accordé.') } : {},
    act: ({ motive: written }) => onConfirm(written.trim()),
  })
  const { ref } = form
  useEffect(() => {
    showAtOnce(ref.current)
    ref.current?.querySelector('textarea')?.focus({ preventScroll: true })
  }, [ref])
  return (
    <div
      role="group"
      data-motive
      aria-label={`${act}\u202f: ${of}`}
      style={{ flex: '1 1 100%' }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <FormElement form={form}>
        <Textarea
          withAsterisk
          aria-required
          autosize
          minRows={1}
          maxLength={500}
          mb="xs"
          {...form.text('motive', 'Motif pour prêter quand même')}
        />
        <Group gap="xs" mb="xs">
          <Button type="submit" px="sm">
            {act}
          </Button>
          <Button variant="default" px="sm" onClick={onClose}>
            {inWords('Ne pas prêter')}
          </Button>
        </Group>
      </FormElement>
    </div>
  )
}
