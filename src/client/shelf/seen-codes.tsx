import { Button, Title, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { counted } from '../ui/words.ts'
import type { Look, LookTone } from './look.ts'
import styles from './shelf-picture.module.css'
import type { SeenCode } from './shelf-walk.ts'

/** One and several of each; what is not named is not told. */
export type ToneWords = Partial<Record<LookTone, readonly [string, string]>>

type ToldProps = { codes: readonly SeenCode[]; lookOf: (code: SeenCode) => Look; words: ToneWords }

/** How many were seen, and of which kind. */
export function Told({ codes, lookOf, words }: ToldProps) {
  const tones = codes.map((code) => lookOf(code).tone)
  return (
    <div className={styles['told']} role="status">
      {codes.length === 0 ? null : <strong>{counted(codes.length, 'code lu', 'codes lus')}</strong>}
      {(Object.keys(words) as LookTone[]).map((tone) => {
        const count = tones.filter((one) => one === tone).length
        const [one, many] = words[tone] ?? ['', '']
        return count === 0 ? null : (
          <span key={tone} className={styles['dot']} data-look={tone}>
            {counted(count, one, many)}
          </span>
        )
      })}
    </div>
  )
}

/** What is known of the code that was touched. */
export function Chosen({ look, code, acts }: { look: Look; code: string; acts: ReactNode }) {
  const { tone, name, word, sentence } = look
  return (
    <section className={styles['chosen']} data-look={tone} aria-label={name} aria-live="polite">
      <strong>{name}</strong>
      <span className={styles['quiet']}>
        {[word, sentence, name === code ? '' : code].filter((part) => part !== '').join(' · ')}
      </span>
      {acts}
    </section>
  )
}

type SeenItem = { text: string; tone: LookTone; name: string; words: string }

type SeenListProps = {
  title: string
  items: readonly SeenItem[]
  /** Lights a line up in the picture; without it the lines say only what they say. */
  onChoose?: (text: string) => void
  /** What can be done on a line, beside its words. */
  actOf?: (text: string) => ReactNode
}

const shortList = 8

/** Lines of what was seen, or was to be seen. */
export function SeenList({ title, items, onChoose, actOf }: SeenListProps) {
  const [most, setMost] = useState(shortList)
  if (items.length === 0) return null
  return (
    <section aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title} ({items.length})
      </Title>
      <ul className={styles['list']}>
        {items.slice(0, most).map(({ text, tone, name, words }) => {
          const line = (
            <>
              <span className={styles['name']}>{name}</span>
              {words === '' ? null : <span className={styles['quiet']}>{words}</span>}
            </>
          )
          return (
            <li key={text} className={styles['item']} data-look={tone}>
              {onChoose === undefined ? (
                <div className={styles['line']}>{line}</div>
              ) : (
                <UnstyledButton className={styles['line'] ?? ''} onClick={() => onChoose(text)}>
                  {line}
                </UnstyledButton>
              )}
              {actOf?.(text)}
            </li>
          )
        })}
      </ul>
      {items.length > most ? (
        <Button variant="subtle" fullWidth onClick={() => setMost(items.length)}>
          {counted(items.length - most, 'autre', 'autres')}
        </Button>
      ) : null}
    </section>
  )
}
