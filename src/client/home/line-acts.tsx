import { Button } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowBigRightLines,
  IconDownload,
  IconForms,
  IconHandStop,
  IconSearch,
} from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router-dom'

import { likelyCode } from '../../domain/bar-code.ts'
import type { Entry } from '../../offline/entry.ts'
import { useRight } from '../api/session.ts'
import { useChangeSite } from '../session/site-gate.tsx'
import { MotiveAct } from '../ui/forms/motive-act.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { ActionMenu } from '../ui/lists/row-buttons.tsx'
import { happen } from './lane-store.ts'
import { type LineWords, optionLabel } from './lane-words.ts'
import type { LaneLine, LineOption } from './lane.ts'

const OfferCopy = lazyPart(() => import('../catalogue/offer-copy.tsx'))
const SendHome = lazyPart(() => import('../catalogue/send-home.tsx'))
const ConditionsFile = lazyPart(() => import('../catalogue/conditions-file.tsx'))

export type LineGestures = {
  /** `reason` is the motive of an override. */
  onOption: (line: LaneLine, option: LineOption, reason?: string) => void
  /** A motive is asked on a line, and a person gave it up. */
  onAsk: () => void
  onGiveUp: () => void
}

type LineActsProps = LineGestures & {
  line: LaneLine
  entry: Entry | null
  words: LineWords
  name: string
  /** What the line says: its buttons do not name the reader again. */
  said: readonly string[]
  /** Its whole loan is beside the lane: it is offered no second time. */
  isFormShown: boolean
  /** How many acts have room in its one row, and how many beside the offer to set its copy aside; the others stand behind ⋯. */
  room: { alone: number; beside: number }
}

/** What may be done about a line, after the offer to set its copy aside. */
export function LineActs({
  line,
  entry,
  words,
  name,
  said,
  isFormShown,
  room,
  onOption,
  onAsk,
  onGiveUp,
}: LineActsProps) {
  const navigate = useNavigate()
  const maySetAside = useMaySetAside() && (words.awaited?.isOffer ?? false)
  const changeSite = useChangeSite()
  const offered = words.options.filter(
    (option) => (option !== 'open-form' || !isFormShown) && (option !== 'change-site' || changeSite !== null),
  )
  const most = maySetAside ? room.beside : room.alone
  const isFolded = offered.length + Number(words.toSettle) > most
  // ⋯ takes the place of one that stands alone.
  const inSight = isFolded ? offered.slice(0, maySetAside ? most : most - 1) : offered
  const behind = [
    ...offered.slice(inSight.length).map((option) => ({
      key: option,
      label: optionLabel(option, line),
      Icon: optionIcons[option] ?? IconArrowBigRightLines,
      run: () => onOption(line, option),
    })),
    ...(isFolded && words.toSettle
      ? [{ key: 'settle', label: 'Régler', Icon: IconHandStop, run: () => void navigate('/waiting') }]
      : []),
  ]
  const medium = words.options.includes('conditions') ? line.copy?.known?.medium : null
  return (
    <>
      {inSight.map((option) =>
        option === 'add-copy' ? (
          <OfferCopy
            key={option}
            code={likelyCode(line.code)}
            loading={line.under_way === option}
            onAdded={(code) => {
              happen({ what: 'code-given', key: line.key, code })
              onOption({ ...line, code }, option)
            }}
          />
        ) : option === 'override' ? (
          <MotiveAct
            key={option}
            act={optionLabel(option, line, said)}
            of={name}
            isUnderWay={line.under_way === option}
            onConfirm={(motive) => onOption(line, option, motive)}
            onAsk={onAsk}
            onGiveUp={onGiveUp}
          />
        ) : (
          <Button
            key={option}
            variant={isQuiet(option) ? 'default' : 'light'}
            px="sm"
            disabled={line.under_way === 'set-aside'}
            loading={line.under_way === option}
            onClick={() => (option === 'change-site' ? changeSite?.() : onOption(line, option))}
            aria-label={optionLabel(option, line)}
          >
            {optionLabel(option, line, said)}
          </Button>
        ),
      )}
      {medium?.loaning_conditions_file ? (
        <ConditionsFile name={medium.name} of={{ medium: medium.id }} />
      ) : null}
      {words.sendHome && entry ? <SendHome of={entry.id} {...words.sendHome} /> : null}
      {behind.length > 0 ? (
        <ActionMenu label={`Actions\u202f: ${name}`} actions={behind} onRun={({ run }) => run()} />
      ) : null}
      {words.toSettle && !isFolded ? (
        <Button component={Link} to="/waiting" variant="default" aria-label={`Régler\u202f: ${name}`}>
          Régler
        </Button>
      ) : null}
    </>
  )
}

/** As the offer itself asks (reservations/awaited-copy.tsx). */
function useMaySetAside(): boolean {
  const mayRead = useRight('LIST_RESERVATIONS')
  return useRight('RESERVATION_EDIT') && mayRead
}

const optionIcons: Partial<Record<LineOption, typeof IconForms>> = {
  return: IconArrowBackUp,
  again: IconSearch,
  export: IconDownload,
  'open-form': IconForms,
}

/** Options that pass over a rule or somebody's turn do not stand out, so that nobody presses them first. */
const isQuiet = (option: LineOption): boolean =>
  option === 'open-form' ||
  option === 'override' ||
  option === 'despite-reservations' ||
  option === 'waive' ||
  option === 'no-conditions'
