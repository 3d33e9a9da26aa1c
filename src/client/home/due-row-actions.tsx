import { ActionIcon, Group, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconArrowBackUp,
  IconCalendarPlus,
  IconDotsVertical,
  IconMail,
  IconMessage2,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { remindBeneficiary } from '../../contract/beneficiaries.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { DelayDialog } from '../loans/delay-dialog.tsx'
import { ExtendDialog } from '../loans/extend-dialog.tsx'
import { nothingNoted } from '../loans/return-fields.tsx'
import { useGiveBack } from '../loans/use-give-back.ts'
import { useRight } from '../session/session.ts'
import { say, sayError } from '../ui/messages.ts'
import type { DueRow } from './due-data.ts'

/** Comment on the delay, extend, return, write to the person: what the home offers on a loan (file 1, « Home »). */
export function DueRowActions({ row: { held, loan }, isReturning }: { row: DueRow; isReturning: boolean }) {
  const mayReturn = useRight('LOANING_RETURN')
  const mayEdit = useRight('LOANING_EDIT') && loan !== null
  const mayWrite = useRight('SEND_MAIL') && loan !== null
  const [open, setOpen] = useState<'extend' | 'delay' | null>(null)
  const { takeBack, dialog } = useGiveBack()
  const mail = useMutation({
    mutationFn: () => call(remindBeneficiary, { params: { id: held.beneficiary_id } }),
    onSuccess: () => say("L'email a bien été envoyé."),
    onError: (error) =>
      error instanceof CallError && error.isNoNetwork
        ? sayError(error)
        : say("Une erreur est survenue. Vérifiez que l'email du bénéficiaire est valide.", 'bad'),
  })
  if (isReturning) return null
  const all = [
    {
      label: 'Rendre',
      Icon: IconArrowBackUp,
      may: mayReturn,
      run: () => void takeBack([{ loan: held, note: nothingNoted }]),
    },
    { label: 'Prolonger', Icon: IconCalendarPlus, may: mayEdit, run: () => setOpen('extend') },
    {
      label: 'Commenter le retard',
      Icon: IconMessage2,
      may: mayEdit && held.late,
      run: () => setOpen('delay'),
    },
    { label: 'Envoyer un courriel', Icon: IconMail, may: mayWrite && held.late, run: () => mail.mutate() },
  ]
  const actions = all.filter(({ may }) => may)
  return (
    <>
      <RowButtons title={held.title} actions={actions} isPending={mail.isPending} />
      {dialog}
      {open === 'extend' && loan ? <ExtendDialog loan={loan} onClose={() => setOpen(null)} /> : null}
      {open === 'delay' && loan ? <DelayDialog loan={loan} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

type RowButtonsProps = {
  title: string
  actions: readonly { label: string; Icon: typeof IconMail; run: () => void }[]
  isPending: boolean
}

/** Icons on a desktop; on a tablet or a phone the first one and a menu, so that the title keeps its room. */
function RowButtons({ title, actions, isPending }: RowButtonsProps) {
  const isDesktop = useMediaQuery('(min-width: 1200px)', window.innerWidth >= 1200)
  const firsts = isDesktop || actions.length < 3 ? actions : actions.slice(0, 1)
  const rest = actions.slice(firsts.length)
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {firsts.map(({ label, Icon, run }) => (
        <ActionIcon
          key={label}
          aria-label={`${label}\u202f: ${title}`}
          title={label}
          disabled={isPending}
          onClick={run}
        >
          <Icon size="1.3rem" stroke={1.75} aria-hidden />
        </ActionIcon>
      ))}
      {rest.length > 0 ? (
        <Menu position="bottom-end" width="15rem">
          <Menu.Target>
            <ActionIcon aria-label={`Actions\u202f: ${title}`} loading={isPending}>
              <IconDotsVertical size="1.3rem" aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map(({ label, Icon, run }) => (
              <Menu.Item
                key={label}
                mih="2.75rem"
                leftSection={<Icon size="1.2em" aria-hidden />}
                onClick={run}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
    </Group>
  )
}
